// SPDX-License-Identifier: MIT
// One line of a long listing a match: type and permissions, links, owner, group, size, time, path
// and where a symbolic link leads. Made by make_record_format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "output/records/path_text.h"
#include "output/records/record_format.h"
#include "text/times.h"

namespace ffind::output {

/// Records go out as they are found, so that no column can know its widest value: each has a width
/// that nearly all values fit into, and a wider one pushes its own line to the right.
class LongRecord final : public RecordFormat {
 public:
  explicit LongRecord(const OutputStyle& style);

  Needs needs() const override;
  void append(std::string& out, Entry& entry) override;
  std::string heading() const override;

 private:
  enum class Side : std::uint8_t { left, right };

  void append_column(std::string& out, std::string_view text, std::size_t columns, Side side) const;
  void append_mode(std::string& out, Entry& entry) const;
  void append_links(std::string& out, Entry& entry) const;
  void append_account(std::string& out, Entry& entry, const RecordField& name,
                      std::uint32_t Metadata::*number);
  void append_size(std::string& out, Entry& entry);
  void append_modified(std::string& out, Entry& entry);

  const RecordField& owner_;
  const RecordField& group_;
  const bool for_people_;
  const std::size_t size_columns_;
  const char end_;
  PathText path_;
  FieldScratch scratch_;
  text::LocalZone zone_;
  std::string cell_;
};

}  // namespace ffind::output
