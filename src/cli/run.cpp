// SPDX-License-Identifier: MIT
// Wiring: options, query, mount table, plan, search, output; and what is said at the end. Called by
// main; holds no logic of its own about any of them.
#include "cli/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <utility>

#include "cli/environment.h"
#include "cli/git_settings.h"
#include "cli/help.h"
#include "cli/parser.h"
#include "cli/planning.h"
#include "cli/query_builder.h"
#include "ffind/searcher.h"
#include "os/catalog.h"
#include "os/directory_catalog.h"
#include "os/os.h"
#include "output/messages.h"
#include "output/output.h"

namespace ffind {
namespace {

constexpr int standard_output = 1;
constexpr int standard_error = 2;

/// Writes what is no search result: help, plan, list of volumes.
ExitStatus print(Writer& writer, std::string_view text) {
  if (writer.write(text)) return ExitStatus::complete;
  writer.write_message(message("standard output: " + reason_of(writer.error())));
  return ExitStatus::incomplete;
}

bool wants_color(const Options& options, bool terminal) {
  const std::string when = options.color.empty() ? "auto" : options.color.back();
  if (when == "always") return true;
  if (when == "never") return false;
  if (when != "auto") {
    throw UsageError(fmt::format(
        "--color: '{}' is none of auto, always and never\n  for example: --color never", when));
  }
  return terminal && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

Format format_of(const Options& options) {
  if (options.quiet) return Format::nothing;
  for (const std::string& layout : options.json) {
    if (layout != "lines") {
      throw UsageError(fmt::format("--json: '{}' is no layout\n  for example: --json", layout));
    }
  }
  if (options.json.empty()) return options.null ? Format::null : Format::text;
  if (options.null) throw UsageError("--json and --null exclude each other");
  return Format::json;
}

OutputStyle style_of(const Options& options) {
  OutputStyle style;
  style.format = format_of(options);
  style.terminal = os::is_terminal(standard_output);
  style.messages = !options.no_messages;
  const bool colored = wants_color(options, style.terminal);
  if (colored && style.format == Format::text) {
    const char* const colors = std::getenv("LS_COLORS");
    style.palette = colors != nullptr ? Palette::parse(colors) : Palette::standard();
    if (style.terminal) os::reset_colors_when_interrupted();
  }
  return style;
}

std::string statistics_text(const Statistics& counts, Nanoseconds elapsed) {
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text += message(fmt::format("{:<12} {}", name, value));
  };
  line("directories", std::to_string(counts.directories));
  line("entries", std::to_string(counts.entries));
  line("matches", std::to_string(counts.matches));
  line("stats", std::to_string(counts.stats));
  line("vanished", std::to_string(counts.vanished));
  if (counts.files_read > 0) {
    line("files read", std::to_string(counts.files_read));
    line("bytes read", std::to_string(counts.bytes_read));
  }
  if (counts.walked > 0) line("walked", std::to_string(counts.walked));
  if (counts.not_local > 0) line("not local", std::to_string(counts.not_local));
  line("issues", std::to_string(counts.issues));
  line("threads", std::to_string(counts.threads));
  line("seconds", fmt::format("{:.3f}", static_cast<double>(elapsed) / 1e9));
  line("peak memory", fmt::format("{:.1f} MiB", static_cast<double>(os::peak_memory()) / 1048576));
  return text;
}

std::string left_out_hint(const std::vector<Boundary>& left_out, bool crossing) {
  const std::size_t count = left_out.size();
  const bool all_network = std::all_of(left_out.begin(), left_out.end(), [](const Boundary& edge) {
    return edge.kind == VolumeKind::network;
  });
  std::string_view option = "--cross-volumes";
  if (all_network) option = crossing ? "--network" : "--cross-volumes --network";
  return fmt::format("{} volume{} below {} left out; {} searches {} too", count,
                     count == 1 ? "" : "s", count == 1 ? "was" : "were", option,
                     count == 1 ? "it" : "them");
}

/// To people only: programs read the status.
void hint(Writer& writer, const Options& options, const Operands& operands,
          const SearchResult& result) {
  if (options.no_messages) return;
  if (os::is_terminal(standard_error) && !result.left_out.empty()) {
    writer.write_message(message(left_out_hint(result.left_out, options.cross_volumes)));
  }
  if (result.statistics.matches == 0 && operands.has_text && !options.quiet &&
      os::is_directory(operands.text)) {
    writer.write_message(message(fmt::format(
        "nothing is called '{0}', but there is a directory of that name; to search below it: "
        "ffind --in {0}",
        operands.text)));
  }
}

ExitStatus status_of(const Options& options, const SearchResult& result, const Writer& writer) {
  // A match answers --quiet whatever else went wrong; without one, an error leaves it open.
  if (options.quiet) {
    return result.statistics.matches > 0 ? ExitStatus::complete : ExitStatus::incomplete;
  }
  const bool complete = result.statistics.issues == 0 && writer.error() == 0;
  return complete ? ExitStatus::complete : ExitStatus::incomplete;
}

ExitStatus search_and_report(const Options& options, const Operands& operands, const Query& query,
                             Writer& writer) {
  const Nanoseconds begin = os::monotonic_now();
  const Matcher matcher(query);
  OutputStyle style = style_of(options);
  Output output(std::move(style), writer);
  const Plan plan = plan_search(options, operands, query, matcher, output.needs());
  if (options.explain) return print(writer, explanation(options, query, matcher, plan));

  for (const Location& location : plan.missing) output.report({location.typed, "", location.error});
  SearchResult result =
      search(plan, matcher, query.limit, output, output.needs(),
             {os::open_file_system, os::open_catalog, os::open_directory_catalog});
  result.statistics.issues += plan.missing.size();

  if (writer.error() != 0 && !options.no_messages) {
    writer.write_message(message("standard output: " + reason_of(writer.error())));
  }
  hint(writer, options, operands, result);
  if (options.statistics) {
    writer.write_message(statistics_text(result.statistics, os::monotonic_now() - begin));
  }
  const ExitStatus status = status_of(options, result, writer);
  if (result.abandoned) os::exit_at_once(static_cast<int>(status));
  return status;
}

ExitStatus run_with(const std::vector<std::string>& arguments, Writer& writer) {
  const Options options = parse(arguments);
  if (options.short_help) return print(writer, short_help());
  if (options.long_help) return print(writer, long_help());
  if (options.version) return print(writer, "ffind " FFIND_VERSION "\n");
  if (options.list_volumes) return print(writer, volume_list(options));
  const Operands operands = sort_arguments(options);
  const std::unique_ptr<const Accounts> accounts = os::accounts();
  Query query = build_query(options, operands,
                            {.clock = {os::wall_now()},
                             .accounts = accounts.get(),
                             .metadata_of = os::metadata_of,
                             .has_added = os::has_added()});
  if (query.scope.gitignore.heeded) find_git_settings(query.scope.gitignore);
  return search_and_report(options, operands, query, writer);
}

}  // namespace

ExitStatus run(const std::vector<std::string>& arguments) {
  os::secure_standard_descriptors();
  os::forbid_side_effects();
  Writer writer(standard_output, standard_error);
  try {
    return run_with(arguments, writer);
  } catch (const UsageError& error) {
    writer.write_message(message(error.what()));
    return ExitStatus::usage;
  } catch (const std::system_error& error) {
    writer.write_message(message(error.what()));
    return ExitStatus::incomplete;
  }
}

}  // namespace ffind
