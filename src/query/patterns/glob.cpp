// SPDX-License-Identifier: MIT
// Parser and compiler of globs.
//
//     *.{c,h}[0-9]  ──GlobParser──▶  * ".c" [0-9]     alternatives, each a sequence of segments;
//                                    * ".h" [0-9]     braces are expanded as in a shell
//
// Sequences of text, * and ? become literal patterns (literal.cpp); sequences with classes or **
// become one regular expression (regex.cpp). A glob with many alternatives becomes one regular
// expression too, since an automaton that tries all at once is then faster.
//
// A glob is normalised before it is parsed, so that its characters compare with those of keys.
// Errors are reported at the place in the glob as it was typed.
//
//     glob             alternatives                   compiled as
//     *.jp{,e}g        * ".jpg"  |  * ".jpeg"         two suffixes, tried in turn
//     [ab]?*           [ab] ? *                       \A[ab][^/][^/]*\z
//     src/**/x.c       "src/" ** "/x.c"               \Asrc/(?:.*/)?x\.c\z
//     {a,[bc]}.o       "a.o"  |  [bc] ".o"            a literal, and \A[bc]\.o\z

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "query/patterns/pattern.h"
#include "text/utf8.h"

namespace ffind::query {

namespace {

// POSIX classes are written as general categories, for which RE2 has tables, if all of a category
// belongs to the class; the rest is in the ranges below, since some marks and symbols are
// alphabetic. The ranges are of Unicode 14. They may also cover unassigned code points and those
// that the class has by category. A row is the first and the last code point of a range, both
// included, in ascending order; a lone one is a row with the same number twice.

struct CodePoints {
  char32_t first;
  char32_t last;
};

// clang-format off
/// Alphabetic, but not in the categories L and Nl; and digits outside ASCII.
constexpr CodePoints alphabetic[] = {
    {0x345, 0x345}, {0x5B0, 0x5BD}, {0x5BF, 0x5BF}, {0x5C1, 0x5C2}, {0x5C4, 0x5C5}, {0x5C7, 0x5C7},
    {0x610, 0x61A}, {0x64B, 0x657}, {0x659, 0x669}, {0x670, 0x670}, {0x6D6, 0x6DC}, {0x6E1, 0x6E8},
    {0x6ED, 0x6F9}, {0x711, 0x73F}, {0x7A6, 0x7C9}, {0x816, 0x817}, {0x81B, 0x82C}, {0x8D4, 0x8DF},
    {0x8E3, 0x8E9}, {0x8F0, 0x93B}, {0x93E, 0x94C}, {0x94E, 0x94F}, {0x955, 0x963}, {0x966, 0x96F},
    {0x981, 0x983}, {0x9BE, 0x9CC}, {0x9D7, 0x9EF}, {0xA01, 0xA03}, {0xA3E, 0xA4C}, {0xA51, 0xA75},
    {0xA81, 0xA83}, {0xABE, 0xACC}, {0xAE2, 0xAEF}, {0xAFA, 0xAFC}, {0xB01, 0xB03}, {0xB3E, 0xB4C},
    {0xB56, 0xB6F}, {0xB82, 0xBCC}, {0xBD7, 0xBEF}, {0xC00, 0xC03}, {0xC3E, 0xC4C}, {0xC55, 0xC6F},
    {0xC81, 0xC83}, {0xCBE, 0xCCC}, {0xCD5, 0xD03}, {0xD3E, 0xD4C}, {0xD57, 0xD57}, {0xD62, 0xD6F},
    {0xD81, 0xD83}, {0xDCF, 0xDF3}, {0xE31, 0xE3A}, {0xE4D, 0xE4D}, {0xE50, 0xE59}, {0xEB1, 0xEB9},
    {0xEBB, 0xEBC}, {0xECD, 0xED9}, {0xF20, 0xF29}, {0xF71, 0xF81}, {0xF8D, 0xFBC},
    {0x102B, 0x1036}, {0x1038, 0x1038}, {0x103B, 0x1049}, {0x1056, 0x109D}, {0x1712, 0x1713},
    {0x1732, 0x1733}, {0x1752, 0x1773}, {0x17B6, 0x17C8}, {0x17E0, 0x17E9}, {0x1810, 0x1938},
    {0x1946, 0x19D9}, {0x1A17, 0x1A1B}, {0x1A55, 0x1A5E}, {0x1A61, 0x1A74}, {0x1A80, 0x1A99},
    {0x1ABF, 0x1AC0}, {0x1ACC, 0x1B04}, {0x1B35, 0x1B43}, {0x1B50, 0x1B59}, {0x1B80, 0x1BA9},
    {0x1BAC, 0x1BB9}, {0x1BE7, 0x1BF1}, {0x1C24, 0x1C36}, {0x1C40, 0x1C59}, {0x1DE7, 0x1DF4},
    {0x24B6, 0x24E9}, {0x2DE0, 0x2DFF}, {0xA620, 0xA629}, {0xA674, 0xA67B}, {0xA69E, 0xA69F},
    {0xA802, 0xA802}, {0xA80B, 0xA827}, {0xA880, 0xA8C3}, {0xA8C5, 0xA8C5}, {0xA8D0, 0xA8D9},
    {0xA8FF, 0xA92A}, {0xA947, 0xA952}, {0xA980, 0xA983}, {0xA9B4, 0xA9BF}, {0xA9D0, 0xA9D9},
    {0xA9E5, 0xAA59}, {0xAA7B, 0xAABE}, {0xAAEB, 0xAAEF}, {0xAAF5, 0xAAF5}, {0xABE3, 0xABEA},
    {0xABF0, 0xABF9}, {0xFB1E, 0xFB1E}, {0xFF10, 0xFF19}, {0x10376, 0x1037A}, {0x104A0, 0x104A9},
    {0x10A01, 0x10A0F}, {0x10D24, 0x10D39}, {0x10EAB, 0x10EAC}, {0x11000, 0x11045},
    {0x11066, 0x1106F}, {0x11073, 0x11074}, {0x11082, 0x110B8}, {0x110C2, 0x110C2},
    {0x110F0, 0x11132}, {0x11136, 0x1113F}, {0x11145, 0x11146}, {0x11180, 0x111BF},
    {0x111CE, 0x111D9}, {0x1122C, 0x11234}, {0x11237, 0x11237}, {0x1123E, 0x1123E},
    {0x112DF, 0x112E8}, {0x112F0, 0x11303}, {0x1133E, 0x1134C}, {0x11357, 0x11363},
    {0x11435, 0x11441}, {0x11443, 0x11445}, {0x11450, 0x11459}, {0x114B0, 0x114C1},
    {0x114D0, 0x115BE}, {0x115DC, 0x1163E}, {0x11640, 0x11640}, {0x11650, 0x11659},
    {0x116AB, 0x116B5}, {0x116C0, 0x1172A}, {0x11730, 0x11739}, {0x1182C, 0x11838},
    {0x118E0, 0x118E9}, {0x11930, 0x1193C}, {0x11940, 0x11942}, {0x11950, 0x119DF},
    {0x119E4, 0x11A0A}, {0x11A35, 0x11A3E}, {0x11A51, 0x11A97}, {0x11C2F, 0x11C3E},
    {0x11C50, 0x11C59}, {0x11C92, 0x11D41}, {0x11D43, 0x11D43}, {0x11D47, 0x11D96},
    {0x11DA0, 0x11EF6}, {0x16A60, 0x16A69}, {0x16AC0, 0x16AC9}, {0x16B50, 0x16B59},
    {0x16F4F, 0x16F92}, {0x16FF0, 0x16FF1}, {0x1BC9E, 0x1BC9E}, {0x1D7CE, 0x1D7FF},
    {0x1E000, 0x1E02A}, {0x1E140, 0x1E149}, {0x1E2F0, 0x1E2F9}, {0x1E947, 0x1E947},
    {0x1E950, 0x1E959}, {0x1F130, 0x1F149}, {0x1F150, 0x1F169}, {0x1F170, 0x1F189},
    {0x1FBF0, 0x1FBF9},
};

/// Punctuation, symbols and marks that are not alphabetic, except for ASCII and the categories that
/// consist of punctuation.
constexpr CodePoints punctuation[] = {
    {0xA0, 0xA9}, {0xAE, 0xB0}, {0xB6, 0xB7}, {0xBF, 0xBF}, {0x300, 0x344}, {0x346, 0x36F},
    {0x37E, 0x37E}, {0x387, 0x387}, {0x482, 0x487}, {0x55A, 0x55F}, {0x589, 0x5AF}, {0x5C0, 0x5C0},
    {0x5C3, 0x5C3}, {0x5C6, 0x5C6}, {0x5F3, 0x60F}, {0x61B, 0x61F}, {0x658, 0x658}, {0x66A, 0x66D},
    {0x6D4, 0x6D4}, {0x6DE, 0x6E0}, {0x6E9, 0x6EC}, {0x6FD, 0x6FE}, {0x700, 0x70D}, {0x740, 0x74A},
    {0x7EB, 0x7F3}, {0x7F6, 0x7F9}, {0x7FD, 0x7FD}, {0x818, 0x819}, {0x82D, 0x83E}, {0x859, 0x85E},
    {0x898, 0x89F}, {0x8CA, 0x8D3}, {0x8E0, 0x8E1}, {0x8EA, 0x8EF}, {0x93C, 0x93C}, {0x94D, 0x94D},
    {0x951, 0x954}, {0x964, 0x965}, {0x970, 0x970}, {0x9BC, 0x9BC}, {0x9CD, 0x9CD}, {0x9FA, 0x9FA},
    {0x9FD, 0x9FE}, {0xA3C, 0xA3C}, {0xA4D, 0xA4D}, {0xA76, 0xA76}, {0xABC, 0xABC}, {0xACD, 0xACD},
    {0xAF0, 0xAF0}, {0xAFD, 0xAFF}, {0xB3C, 0xB3C}, {0xB4D, 0xB55}, {0xB70, 0xB70}, {0xBCD, 0xBCD},
    {0xBF3, 0xBFA}, {0xC04, 0xC04}, {0xC3C, 0xC3C}, {0xC4D, 0xC4D}, {0xC77, 0xC7F}, {0xC84, 0xC84},
    {0xCBC, 0xCBC}, {0xCCD, 0xCCD}, {0xD3B, 0xD3C}, {0xD4D, 0xD4D}, {0xD4F, 0xD4F}, {0xD79, 0xD79},
    {0xDCA, 0xDCA}, {0xDF4, 0xDF4}, {0xE47, 0xE4C}, {0xE4E, 0xE4F}, {0xE5A, 0xE5B}, {0xEBA, 0xEBA},
    {0xEC8, 0xECC}, {0xF01, 0xF1F}, {0xF34, 0xF3F}, {0xF82, 0xF87}, {0xFBE, 0xFDA},
    {0x1037, 0x1037}, {0x1039, 0x103A}, {0x104A, 0x104F}, {0x109E, 0x109F}, {0x10FB, 0x10FB},
    {0x135D, 0x1368}, {0x1390, 0x1399}, {0x166D, 0x166E}, {0x16EB, 0x16ED}, {0x1714, 0x1715},
    {0x1734, 0x1736}, {0x17B4, 0x17B5}, {0x17C9, 0x17D6}, {0x17D8, 0x17DA}, {0x17DD, 0x17DD},
    {0x1800, 0x180F}, {0x1939, 0x1945}, {0x19DE, 0x19FF}, {0x1A1E, 0x1A1F}, {0x1A60, 0x1A60},
    {0x1A75, 0x1A7F}, {0x1AA0, 0x1AA6}, {0x1AA8, 0x1ABD}, {0x1AC1, 0x1ACB}, {0x1B34, 0x1B34},
    {0x1B44, 0x1B44}, {0x1B5A, 0x1B7E}, {0x1BAA, 0x1BAB}, {0x1BE6, 0x1BE6}, {0x1BF2, 0x1BFF},
    {0x1C37, 0x1C3F}, {0x1C7E, 0x1C7F}, {0x1CC0, 0x1CE8}, {0x1CED, 0x1CED}, {0x1CF4, 0x1CF4},
    {0x1CF7, 0x1CF9}, {0x1DC0, 0x1DE6}, {0x1DF5, 0x1DFF}, {0x2007, 0x2007}, {0x2016, 0x2027},
    {0x202F, 0x205E}, {0x20D0, 0x2101}, {0x2103, 0x2106}, {0x2108, 0x2109}, {0x2114, 0x2114},
    {0x2116, 0x2117}, {0x211E, 0x2123}, {0x2125, 0x2125}, {0x2127, 0x2127}, {0x2129, 0x2129},
    {0x212E, 0x212E}, {0x213A, 0x213B}, {0x214A, 0x214D}, {0x214F, 0x214F}, {0x218A, 0x24B5},
    {0x2500, 0x2BFF}, {0x2CE5, 0x2CEA}, {0x2CEF, 0x2CF1}, {0x2CF9, 0x2CFF}, {0x2D70, 0x2D7F},
    {0x2E00, 0x2E2E}, {0x2E30, 0x2FFB}, {0x3001, 0x3004}, {0x3012, 0x3020}, {0x302A, 0x302F},
    {0x3036, 0x3037}, {0x303D, 0x303F}, {0x3099, 0x309A}, {0x30FB, 0x30FB}, {0x3190, 0x319F},
    {0x31C0, 0x31E3}, {0x3200, 0x33FF}, {0x4DC0, 0x4DFF}, {0xA490, 0xA4C6}, {0xA4FE, 0xA4FF},
    {0xA60D, 0xA60F}, {0xA66F, 0xA673}, {0xA67C, 0xA67E}, {0xA6F0, 0xA6F7}, {0xA806, 0xA806},
    {0xA828, 0xA839}, {0xA874, 0xA877}, {0xA8C4, 0xA8C4}, {0xA8CE, 0xA8CF}, {0xA8E0, 0xA8F1},
    {0xA8F8, 0xA8FA}, {0xA8FC, 0xA8FC}, {0xA92B, 0xA92F}, {0xA953, 0xA95F}, {0xA9B3, 0xA9B3},
    {0xA9C0, 0xA9CD}, {0xA9DE, 0xA9DF}, {0xAA5C, 0xAA5F}, {0xAA77, 0xAA79}, {0xAABF, 0xAABF},
    {0xAAC1, 0xAAC1}, {0xAADE, 0xAADF}, {0xAAF0, 0xAAF1}, {0xAAF6, 0xAAF6}, {0xABEB, 0xABED},
    {0xFD40, 0xFD4F}, {0xFDCF, 0xFDCF}, {0xFDFD, 0xFE6B}, {0xFF01, 0xFF0F}, {0xFF1A, 0xFF20},
    {0xFF3C, 0xFF3C}, {0xFF61, 0xFF65}, {0xFFE4, 0xFFFD}, {0x10100, 0x1013F}, {0x10179, 0x101FD},
    {0x102E0, 0x102E0}, {0x1039F, 0x1039F}, {0x103D0, 0x103D0}, {0x1056F, 0x1056F},
    {0x10857, 0x10857}, {0x10877, 0x10878}, {0x1091F, 0x1091F}, {0x1093F, 0x1093F},
    {0x10A38, 0x10A58}, {0x10A7F, 0x10A7F}, {0x10AC8, 0x10AC8}, {0x10AE5, 0x10AF6},
    {0x10B39, 0x10B3F}, {0x10B99, 0x10B9C}, {0x10F46, 0x10F59}, {0x10F82, 0x10F89},
    {0x11046, 0x1104D}, {0x11070, 0x11070}, {0x1107F, 0x11081}, {0x110B9, 0x110C1},
    {0x11133, 0x11134}, {0x11140, 0x11143}, {0x11173, 0x11175}, {0x111C0, 0x111C0},
    {0x111C5, 0x111CD}, {0x111DB, 0x111DB}, {0x111DD, 0x111DF}, {0x11235, 0x11236},
    {0x11238, 0x1123D}, {0x112A9, 0x112A9}, {0x112E9, 0x112EA}, {0x1133B, 0x1133C},
    {0x1134D, 0x1134D}, {0x11366, 0x11374}, {0x11442, 0x11442}, {0x11446, 0x11446},
    {0x1144B, 0x1144F}, {0x1145A, 0x1145E}, {0x114C2, 0x114C3}, {0x114C6, 0x114C6},
    {0x115BF, 0x115D7}, {0x1163F, 0x1163F}, {0x11641, 0x11643}, {0x11660, 0x1166C},
    {0x116B6, 0x116B7}, {0x116B9, 0x116B9}, {0x1172B, 0x1172B}, {0x1173C, 0x1173F},
    {0x11839, 0x1183B}, {0x1193D, 0x1193E}, {0x11943, 0x11946}, {0x119E0, 0x119E0},
    {0x119E2, 0x119E2}, {0x11A33, 0x11A34}, {0x11A3F, 0x11A47}, {0x11A98, 0x11A9C},
    {0x11A9E, 0x11AA2}, {0x11C3F, 0x11C3F}, {0x11C41, 0x11C45}, {0x11C70, 0x11C71},
    {0x11D42, 0x11D42}, {0x11D44, 0x11D45}, {0x11D97, 0x11D97}, {0x11EF7, 0x11EF8},
    {0x11FD5, 0x11FFF}, {0x12470, 0x12474}, {0x12FF1, 0x12FF2}, {0x16A6E, 0x16A6F},
    {0x16AF0, 0x16AF5}, {0x16B30, 0x16B3F}, {0x16B44, 0x16B45}, {0x16E97, 0x16E9A},
    {0x16FE2, 0x16FE2}, {0x16FE4, 0x16FE4}, {0x1BC9C, 0x1BC9D}, {0x1BC9F, 0x1D356},
    {0x1D800, 0x1DAAF}, {0x1E130, 0x1E136}, {0x1E14F, 0x1E14F}, {0x1E2AE, 0x1E2AE},
    {0x1E2EC, 0x1E2EF}, {0x1E8D0, 0x1E8D6}, {0x1E944, 0x1E946}, {0x1E948, 0x1E94A},
    {0x1E95E, 0x1ED2E}, {0x1F000, 0x1F12F}, {0x1F14A, 0x1F14F}, {0x1F16A, 0x1F16F},
    {0x1F18A, 0x1FBCA}, {0xE0100, 0xE01EF},
};

/// Lowercase, but not in the category Ll.
constexpr CodePoints lower_case[] = {
    {0xAA, 0xAA}, {0xBA, 0xBA}, {0x1C5, 0x1C5}, {0x1C8, 0x1C8}, {0x1CB, 0x1CB}, {0x1F2, 0x1F2},
    {0x2B0, 0x2B8}, {0x2C0, 0x2C1}, {0x2E0, 0x2E4}, {0x345, 0x345}, {0x37A, 0x37A},
    {0x1D2C, 0x1DBF}, {0x2071, 0x2071}, {0x207F, 0x207F}, {0x2090, 0x209C}, {0x2170, 0x217F},
    {0x24D0, 0x24E9}, {0x2C7C, 0x2C7D}, {0xA69C, 0xA69D}, {0xA770, 0xA770}, {0xA7F8, 0xA7F9},
    {0xAB5C, 0xAB5F}, {0x10780, 0x10780}, {0x10783, 0x107BA},
};

/// Uppercase, but not in the categories Lu and Lt.
constexpr CodePoints upper_case[] = {
    {0x2160, 0x216F}, {0x24B6, 0x24CF}, {0x1F130, 0x1F149}, {0x1F150, 0x1F169}, {0x1F170, 0x1F189},
};
// clang-format on

/// Appends an end of a range by its number, so that marks do not compose with adjacent characters.
/// Characters below U+0100 are written as themselves, since their numbers would also mean bytes.
void append_end(std::string& members, char32_t c) {
  if (c <= 0xFF) return text::append_utf8(members, c);
  char number[16];
  std::snprintf(number, sizeof number, "\\x{%X}", static_cast<unsigned>(c));
  members += number;
}

/// Appends `ranges` to the members of a class: \p{Ll} becomes \p{Ll}ªº\x{1C5} and so on.
template <std::size_t count>
std::string with(std::string members, const CodePoints (&ranges)[count]) {
  for (const CodePoints& range : ranges) {
    append_end(members, range.first);
    if (range.last == range.first) continue;
    members += '-';
    append_end(members, range.last);
  }
  return members;
}

/// The categories of which every character is alphabetic.
constexpr const char* letters = "\\pL\\p{Nl}";
/// The parts of [:punct:] without slash and letters.
constexpr const char* marks_of_punctuation =
    "!-.:-@\\[-`{-~\\p{Cf}\\p{Co}\\p{Me}\\p{No}\\p{Pc}\\p{Pd}\\p{Pe}\\p{Pf}\\p{Pi}\\p{Ps}\\p{Sc}"
    "\\p{Sk}\\p{Sm}";
/// Spaces at which a line may be broken.
constexpr const char* spaces = " \\x{1680}\\x{2000}-\\x{2006}\\x{2008}-\\x{200A}\\x{205F}\\x{3000}";

/// Returns the members of the class `name` without the slash, or nullopt if there is no such class.
/// The classes are those of glibc's UTF-8 locales, which find and shells use: [:alpha:] is
/// Unicode's Alphabetic and all digits outside ASCII, [:digit:] and [:xdigit:] are ASCII, [:punct:]
/// is every other visible character, marks included. Bytes that are not UTF-8 are in no class.
std::optional<std::string> posix_class(std::string_view name) {
  const auto alpha = [] { return with(letters, alphabetic); };
  const auto punct = [] { return with(marks_of_punctuation, punctuation); };
  if (name == "alpha") return alpha();
  if (name == "alnum") return "0-9" + alpha();
  if (name == "upper") return with("\\p{Lu}\\p{Lt}", upper_case);
  if (name == "lower") return with("\\p{Ll}", lower_case);
  if (name == "punct") return punct();
  if (name == "graph") return "0-9" + alpha() + punct();
  if (name == "print") return "0-9\\p{Zs}" + alpha() + punct();
  if (name == "blank") return std::string("\\t") + spaces;
  if (name == "space") return std::string("\\t-\\r\\p{Zl}\\p{Zp}") + spaces;
  if (name == "cntrl") return "\\p{Cc}\\p{Zl}\\p{Zp}";
  if (name == "digit") return "0-9";
  if (name == "xdigit") return "0-9A-Fa-f";
  return {};
}

/// One element of a sequence. Text is never next to text, and a star never next to a star (append).
struct Segment {
  enum class Kind : std::uint8_t { text, one, star, stars, one_of };

  Kind kind;
  std::string text{};  ///< the text; for one_of, the class as a regular expression
};

/// One alternative: a glob without braces.
using Sequence = std::vector<Segment>;

// {a,b}{a,b}... doubles with each pair. A thousand is more than is ever typed and still cheap.
constexpr std::size_t max_alternatives = 1000;
// With more alternatives an automaton for all of them is faster than trying them in turn.
constexpr std::size_t max_tried_in_turn = 12;

void append(Sequence& sequence, const Segment& segment) {
  const bool joins = !sequence.empty() && sequence.back().kind == segment.kind;
  if (joins && segment.kind == Segment::Kind::text) {
    sequence.back().text += segment.text;
  } else if (!joins || segment.kind != Segment::Kind::star) {  // {a,*}*: two stars are one
    sequence.push_back(segment);
  }
}

/// Recursive descent over a normalised glob. The result is the list of its alternatives.
///
///     alternative   { braces | segment }            the product of its parts
///     braces        "{" alternative { "," alternative } "}"
///     segment       "[" class | "?" | "*" | "**" | "\" character | character
///
/// Outside of braces a comma and a closing brace are characters. Throws UsageError, for instance
/// for an unclosed brace or an unknown class.
class GlobParser {
 public:
  GlobParser(std::string_view glob, const text::ValueSource& source)
      : glob_(glob), source_(source) {}

  std::vector<Sequence> parse() { return parse_alternative(false); }

 private:
  [[noreturn]] void fail(std::size_t position, std::string_view what) const {
    text::fail_at(source_, glob_, position, what);
  }

  bool at_end() const { return position_ == glob_.size(); }
  bool rest_starts_with(std::string_view text) const {
    return glob_.substr(position_).starts_with(text);
  }

  /// Takes the next character, special or not.
  char32_t take() { return text::next_code_point(glob_, position_); }

  /// Takes a character, or the one after a backslash as itself.
  char32_t take_escapable() {
    const std::size_t start = position_;
    const char32_t c = take();
    if (c != '\\') return c;
    if (at_end()) fail(start, "nothing follows the '\\'; for a literal one write '\\\\'");
    return take();
  }

  static std::string encoded(char32_t c) {
    std::string text;
    text::append_utf8(text, c);
    return text;
  }

  std::vector<Sequence> parse_alternative(bool in_braces);
  std::vector<Sequence> parse_braces();
  Segment parse_segment();
  Segment parse_class();
  bool parse_named_class(std::string& members);
  static std::string range(char32_t first, char32_t last);

  std::string_view glob_;
  const text::ValueSource& source_;
  std::size_t position_ = 0;
  unsigned depth_ = 0;
};

/// Returns the alternatives of the text up to the end or, in braces, up to a comma or closing
/// brace: a{b,c}d is abd and acd, and the empty text is one empty sequence.
std::vector<Sequence> GlobParser::parse_alternative(bool in_braces) {
  std::vector<Sequence> sequences(1);
  while (!at_end()) {
    if (in_braces && (rest_starts_with(",") || rest_starts_with("}"))) break;
    if (!rest_starts_with("{")) {
      const Segment segment = parse_segment();
      for (Sequence& sequence : sequences) append(sequence, segment);
      continue;
    }
    const std::size_t start = position_;
    const std::vector<Sequence> alternatives = parse_braces();
    if (sequences.size() * alternatives.size() > max_alternatives) {
      fail(start, "the braces expand to more than 1000 globs; use a regular expression (-e)");
    }
    // Each beginning with each of the alternatives: {a,b}{1,2} is a1, a2, b1, b2.
    std::vector<Sequence> product;
    for (const Sequence& head : sequences) {
      for (const Sequence& tail : alternatives) {
        product.push_back(head);
        for (const Segment& segment : tail) append(product.back(), segment);
      }
    }
    sequences = std::move(product);
  }
  return sequences;
}

/// Parses {a,b} at the position, and returns the alternatives of all its parts in one list. Depth
/// is limited, since nested braces recur.
std::vector<Sequence> GlobParser::parse_braces() {
  const std::size_t start = position_;
  if (++depth_ > 100) fail(start, "braces nest more than 100 deep");
  std::vector<Sequence> all;
  do {
    ++position_;  // the brace or comma
    for (Sequence& sequence : parse_alternative(true)) all.push_back(std::move(sequence));
    if (at_end()) fail(start, "unclosed '{'; for a literal one write '\\{'");
  } while (rest_starts_with(","));
  ++position_;
  --depth_;
  return all;
}

/// Parses anything but braces. Two stars or more are `**`, as in git; a star alone stays within a
/// component.
Segment GlobParser::parse_segment() {
  if (rest_starts_with("[")) return parse_class();
  if (rest_starts_with("?")) {
    ++position_;
    return {Segment::Kind::one};
  }
  if (rest_starts_with("*")) {
    const std::size_t start = position_;
    position_ = std::min(glob_.find_first_not_of('*', position_), glob_.size());
    return {position_ - start == 1 ? Segment::Kind::star : Segment::Kind::stars};
  }
  return {Segment::Kind::text, encoded(take_escapable())};
}

/// Translates [...] to a class of a regular expression without the slash. A ] is a member if it
/// comes first, a - if it comes first or last; [!a] and [^a] are negated.
///
///     [a-c]     [a-c]           [+-1]     [+-.0-1]       the slash is between . and 0
///     [!a]      [^/a]           [[:digit:]x]   [0-9x]
Segment GlobParser::parse_class() {
  const std::size_t start = position_++;
  const bool negated = rest_starts_with("!") || rest_starts_with("^");
  if (negated) ++position_;
  const auto fail_unless_more = [&] {
    if (at_end()) fail(start, "unclosed '['; for a literal one write '\\['");
  };
  std::string members;
  for (bool first_member = true;; first_member = false) {
    fail_unless_more();
    if (rest_starts_with("]") && !first_member) break;
    if (parse_named_class(members)) continue;
    const std::size_t range_start = position_;
    const char32_t first = take_escapable();
    char32_t last = first;
    if (rest_starts_with("-") && !rest_starts_with("-]")) {
      ++position_;
      fail_unless_more();
      last = take_escapable();
      if (last < first) fail(range_start, "the range is backwards");
    }
    members += range(first, last);
  }
  ++position_;
  // All members are without a slash, so a negated class needs it as one.
  if (negated) return {Segment::Kind::one_of, "[^/" + members + "]"};
  if (!members.empty()) return {Segment::Kind::one_of, "[" + members + "]"};
  // [/] matches nothing, since only ** matches a slash.
  return {Segment::Kind::one_of, "[^\\x00-\\x{10FFFF}]"};
}

/// Parses a named class such as [:alpha:] and appends it to `members`. Returns false, without
/// moving, if there is none: then [ is a member like any other.
bool GlobParser::parse_named_class(std::string& members) {
  if (!rest_starts_with("[:")) return false;
  const std::size_t end = glob_.find(":]", position_ + 2);
  if (end == std::string_view::npos) return false;
  const auto named = posix_class(glob_.substr(position_ + 2, end - position_ - 2));
  if (!named) {
    fail(position_,
         "unknown class; known are [:alpha:], [:digit:], [:alnum:], [:upper:] and so on");
  }
  members += *named;
  position_ = end + 2;
  return true;
}

/// A range in the syntax of a regular expression's class, without the slash.
std::string GlobParser::range(char32_t first, char32_t last) {
  if (first <= '/' && '/' <= last) {
    return (first < '/' ? range(first, '/' - 1) : "") + (last > '/' ? range('/' + 1, last) : "");
  }
  const auto written = [](char32_t c) {
    const bool special =
        c < 0x80 && std::string_view("\\]^-[").find(static_cast<char>(c)) != std::string_view::npos;
    return (special ? "\\" : "") + encoded(c);
  };
  return first == last ? written(first) : written(first) + "-" + written(last);
}

// ---- sequences as expressions

/// Escapes what RE2 would not read as text. Bytes that are not UTF-8 stay; byte_regex rewrites
/// them.
std::string quoted_for_regex(std::string_view text) {
  std::string expression;
  for (const char c : text) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) expression += '\\';
    expression += c;
  }
  return expression;
}

/// Translates a sequence. Between slashes, or between a slash and an end, ** matches zero or
/// more whole directories.
std::string to_regex(const Sequence& sequence) {
  std::string expression;
  bool skip_slash = false;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const Segment& segment = sequence[i];
    const bool at_start = i == 0;
    const bool at_end = i + 1 == sequence.size();
    // Slashes are only in texts, since no other segment matches one.
    const bool after_slash = !at_start && sequence[i - 1].text.ends_with('/');
    const bool before_slash = !at_end && sequence[i + 1].text.starts_with('/');
    switch (segment.kind) {
      case Segment::Kind::text:
        expression += quoted_for_regex(std::string_view(segment.text).substr(skip_slash ? 1 : 0));
        break;
      case Segment::Kind::one:
        expression += "[^/]";
        break;
      case Segment::Kind::star:
        expression += "[^/]*";
        break;
      case Segment::Kind::one_of:
        expression += segment.text;
        break;
      case Segment::Kind::stars:
        // a/**/b is a/(?:.*/)?b, which matches a/b: the slash after the stars is in the group, so
        // that the next text begins without it. a/** needs something below a. Elsewhere ** is any
        // text: a**b.
        if ((at_start || after_slash) && before_slash) {
          expression += "(?:.*/)?";
        } else {
          expression += after_slash && at_end ? ".+" : ".*";
        }
        break;
    }
    skip_slash = segment.kind == Segment::Kind::stars && (at_start || after_slash) && before_slash;
  }
  return expression;
}

/// Alternatives that are tried in turn; at least two, with the same rules for case and accents. No
/// text is in all matches, so there is no required literal.
class AnyPattern final : public Pattern {
 public:
  explicit AnyPattern(std::vector<std::unique_ptr<const Pattern>> patterns)
      : patterns_(std::move(patterns)) {
    for (const auto& pattern : patterns_) cost_ += pattern->cost();
  }

  bool matches(std::string_view subject) const override {
    return std::any_of(patterns_.begin(), patterns_.end(),
                       [subject](const auto& pattern) { return pattern->matches(subject); });
  }
  int cost() const override { return cost_; }
  std::string_view required_literal() const override { return {}; }
  bool ignores_case() const override { return patterns_.front()->ignores_case(); }
  bool ignores_diacritics() const override { return patterns_.front()->ignores_diacritics(); }

 private:
  std::vector<std::unique_ptr<const Pattern>> patterns_;
  int cost_ = 0;
};

/// Joins alternatives to one expression. A single one gets no group, which would hide its literals
/// from required_literal.
std::string anchored(const std::vector<std::string>& expressions) {
  if (expressions.size() == 1) return "\\A" + expressions.front() + "\\z";
  std::string all;
  for (const std::string& one : expressions) all += (all.empty() ? "\\A(?:" : "|") + one;
  return all + ")\\z";
}

/// True for ** and classes, which literal.cpp does not know.
bool needs_regex(const Sequence& sequence) {
  return std::any_of(sequence.begin(), sequence.end(), [](const Segment& segment) {
    return segment.kind == Segment::Kind::stars || segment.kind == Segment::Kind::one_of;
  });
}

/// Compiles a sequence of text, ? and * only.
std::unique_ptr<const Pattern> make_simple(const Sequence& sequence, text::KeyRules rules) {
  std::vector<WildcardSegment> segments;
  for (const Segment& segment : sequence) {
    const auto kind = segment.kind == Segment::Kind::text  ? WildcardSegment::Kind::text
                      : segment.kind == Segment::Kind::one ? WildcardSegment::Kind::one
                                                           : WildcardSegment::Kind::number;
    segments.push_back({kind, segment.text});
  }
  return make_wildcards(segments, rules);
}

/// Ends of the characters of `glob`, and of its bytes that are not UTF-8.
std::vector<std::size_t> ends_of_characters(std::string_view glob) {
  std::vector<std::size_t> ends;
  for (std::size_t at = 0; at < glob.size(); ends.push_back(at)) {
    if (text::checked_code_point(glob, at) == text::no_code_point) ++at;
  }
  return ends;
}

/// The text to parse. A glob that is not UTF-8 is parsed as characters too, each stray byte a code
/// point of its own, so that the parser needs no second way for bytes.
std::string normalised_glob(std::string_view glob, bool utf8, text::KeyRules rules) {
  return utf8 ? text::key_of(glob, {text::KeyCase::kept, rules.without_accents})
              : as_characters(glob);
}

/// Converts the segments of a glob that is not UTF-8 back to bytes.
void restore_bytes(std::vector<Sequence>& sequences) {
  for (Sequence& sequence : sequences) {
    for (Segment& segment : sequence) segment.text = as_bytes(segment.text);
  }
}

/// Parses `text`, the normalised `glob`; errors refer to `glob`.
std::vector<Sequence> parse(std::string_view glob, std::string_view text, bool utf8,
                            text::KeyRules rules, const text::ValueSource& source) {
  try {
    return GlobParser(text, source).parse();
  } catch (const text::ValueError& error) {
    if (text == glob) throw;
    const std::size_t place = place_in_typed(
        glob, ends_of_characters(glob), error.position(),
        [utf8, rules](std::string_view part) { return normalised_glob(part, utf8, rules); });
    text::fail_at(source, glob, place, error.what_is_wrong());
  }
}

}  // namespace

std::unique_ptr<const Pattern> make_glob(std::string_view glob, text::KeyRules rules,
                                         const text::ValueSource& source) {
  const bool utf8 = text::is_utf8(glob);
  const std::string text = normalised_glob(glob, utf8, rules);
  std::vector<Sequence> sequences = parse(glob, text, utf8, rules, source);
  if (!utf8) restore_bytes(sequences);
  // Sequences that need a regular expression share one, so that RE2 runs once for a subject. With
  // many alternatives the simple ones join it.
  const bool few = sequences.size() <= max_tried_in_turn;
  std::vector<std::unique_ptr<const Pattern>> patterns;
  std::vector<std::string> expressions;
  for (const Sequence& sequence : sequences) {
    if (few && !needs_regex(sequence)) {
      patterns.push_back(make_simple(sequence, rules));
    } else {
      expressions.push_back(to_regex(sequence));
    }
  }
  if (!expressions.empty()) {
    patterns.push_back(make_regex(anchored(expressions), rules, source, glob));
  }
  if (patterns.size() == 1) return std::move(patterns.front());
  return std::make_unique<AnyPattern>(std::move(patterns));
}

}  // namespace ffind::query
