// SPDX-License-Identifier: MIT
// The lanes: each formats whole records into a buffer of its own and passes the buffer on. Made by
// Output, one a worker. On the way of every match.
#include <cstddef>
#include <string>
#include <utility>

#include "os/os.h"
#include "output/escape.h"
#include "output/json.h"
#include "output/messages.h"
#include "output/output.h"

namespace ffind {
namespace {

/// What a pipe holds on Linux: one write fills it, and the reader empties it in one go.
constexpr std::size_t buffer_size = std::size_t{64} * 1024;

/// Records are held back no longer than this: a person behind `| less` does not notice, and a full
/// buffer takes less in a search that finds much.
constexpr Nanoseconds longest_delay = 50'000'000;

/// The buffer and its passing on; what a record looks like is the subclass's.
class BufferedLane : public Lane {
 public:
  BufferedLane(const OutputStyle& style, Writer& writer) : style_(style), writer_(writer) {}

  bool emit(Entry& entry) final {
    if (buffer_.empty()) begin_buffer();
    append_record(buffer_, entry);
    return buffer_.size() < buffer_size || pass_on();
  }

  void breathe() final {
    if (buffer_.empty()) return;
    if (style_.terminal || os::monotonic_coarse_now() - since_ > longest_delay) pass_on();
  }

  void flush() final {
    if (!buffer_.empty()) pass_on();
  }

 protected:
  virtual void append_record(std::string& buffer, Entry& entry) = 0;
  const OutputStyle& style() const { return style_; }

 private:
  void begin_buffer() {
    if (buffer_.capacity() == 0) buffer_.reserve(buffer_size + 8192);
    since_ = os::monotonic_coarse_now();
  }

  bool pass_on() {
    const bool written = writer_.write(buffer_);
    buffer_.clear();
    return written;
  }

  const OutputStyle& style_;
  Writer& writer_;
  std::string buffer_;
  Nanoseconds since_ = 0;
};

/// A path that would begin with "-" would be an option to whoever reads it.
bool needs_dot(const Entry& entry) {
  return entry.directory.empty() && entry.name.front() == '-';
}

class TextLane final : public BufferedLane {
 public:
  TextLane(const OutputStyle& style, Writer& writer)
      : BufferedLane(style, writer), end_(style.format == Format::null ? '\0' : '\n') {}

 protected:
  void append_record(std::string& buffer, Entry& entry) override {
    entry.require(needs::directory);
    if (style().palette) {
      append_colored(buffer, entry);
    } else {
      if (needs_dot(entry)) buffer += "./";
      append_text(buffer, entry.directory);
      append_text(buffer, entry.name);
    }
    buffer += end_;
  }

 private:
  bool escapes() const { return style().terminal && style().format == Format::text; }

  void append_text(std::string& buffer, std::string_view text) const {
    if (escapes() && needs_escaping(text)) {
      append_escaped(buffer, text);
    } else {
      buffer += text;
    }
  }

  void append_colored(std::string& buffer, Entry& entry) {
    const Palette& palette = *style().palette;
    entry.require(palette.needs_for(entry.type));
    directory_.assign(needs_dot(entry) ? "./" : "");
    append_text(directory_, entry.directory);
    name_.clear();
    append_text(name_, entry.name);
    if (!directory_.empty()) {
      palette.append_colored(buffer, palette.directory_color(), directory_);
    }
    palette.append_colored(buffer, palette.color_of(entry), name_);
  }

  const char end_;
  std::string directory_;
  std::string name_;
};

class JsonLane final : public BufferedLane {
 public:
  using BufferedLane::BufferedLane;

 protected:
  void append_record(std::string& buffer, Entry& entry) override {
    entry.require(needs::directory | needs::type);
    path_.assign(needs_dot(entry) ? "./" : "");
    path_.append(entry.directory).append(entry.name);
    JsonObject object(buffer);
    object.add_bytes("path", path_);
    object.add_bytes("name", entry.name);
    object.add("type", to_text(entry.type));
    object.add("depth", std::uint64_t{entry.depth});
    object.end();
  }

 private:
  std::string path_;
};

class SilentLane final : public Lane {
 public:
  bool emit(Entry&) override { return true; }
  void breathe() override {}
  void flush() override {}
};

}  // namespace

std::unique_ptr<Lane> Output::open_lane() {
  switch (style_.format) {
    case Format::text:
    case Format::null:
      return std::make_unique<TextLane>(style_, writer_);
    case Format::json:
      return std::make_unique<JsonLane>(style_, writer_);
    case Format::nothing:
      break;
  }
  return std::make_unique<SilentLane>();
}

void Output::report(const Issue& issue) {
  if (!style_.messages) return;
  std::string lines = message_of(issue);
  const std::string_view advice = style_.advice(issue.error);
  // In one write, so that no other worker's issue gets in between.
  if (!advice.empty() && !advised_.exchange(true)) lines += message(advice);
  writer_.write_message(lines);
}

void Output::notice(const std::string& path, const std::string& text) {
  if (style_.messages) writer_.write_message(message_of({path, "", 0, text}));
}

Needs Output::needs() const {
  if (style_.format == Format::json) return needs::type;
  return style_.palette ? style_.palette->needs() : needs::none;
}

}  // namespace ffind
