// SPDX-License-Identifier: MIT
// Property lists in XML that plistlib wrote, and what else XML allows in them or not.
#include "os/formats/plist.h"

#include "catch.h"
#include "unit/os/formats/finder_data.h"

namespace xml_plist_test {

using namespace ffind::os;
using ffind::testing::finder_data;

namespace {

using Strings = std::vector<std::string>;

Strings read(const std::string& value) {
  return strings_of_xml_plist("<plist version=\"1.0\">" + value + "</plist>")
      .value_or(Strings{"broken"});
}

const Strings broken{"broken"};

std::string nested(unsigned levels) {
  std::string open;
  std::string close;
  for (unsigned i = 0; i < levels; ++i) {
    open += "<array>";
    close += "</array>";
  }
  return open + "<string>x</string>" + close;
}

}  // namespace

TEST_CASE("xml plist: as plistlib writes it") {
  CHECK(strings_of_xml_plist(finder_data("tags.xml")) ==
        Strings{"Red\n6", "Übung\n2", "a & b < c > d \"e\" 'f'", "𝄞"});
  CHECK(strings_of_xml_plist(finder_data("comment.xml")) == Strings{"Grüße, 𝄞 clef"});
  CHECK(strings_of_xml_plist(finder_data("nested.xml")) ==
        Strings{"count", "data", "date", "flag", "list", "inner", "", "real"});
}

TEST_CASE("xml plist: what is one begins like one") {
  CHECK(is_xml_plist("<?xml version=\"1.0\"?><plist/>"));
  CHECK(is_xml_plist("\xEF\xBB\xBF<plist>"));
  CHECK(is_xml_plist("<!DOCTYPE plist PUBLIC"));
  CHECK_FALSE(is_xml_plist("<html>"));
  CHECK_FALSE(is_xml_plist("a <plist>"));
  CHECK_FALSE(is_xml_plist(""));
}

TEST_CASE("xml plist: texts, references, sections and comments") {
  CHECK(read("<string>a&lt;&gt;&amp;&quot;&apos;b</string>") == Strings{"a<>&\"'b"});
  CHECK(read("<string>&#82;&#x1d11E;&#10;</string>") == Strings{"R𝄞\n"});
  CHECK(read("<string>a<![CDATA[<b>&amp;]]]>c<!-- <d> -->e</string>") == Strings{"a<b>&amp;]ce"});
  CHECK(read("<string> a\r\nb\rc </string>") == Strings{" a\nb\nc "});
  CHECK(read("<array><string/><string></string ><string x='>'>y</string></array>") ==
        Strings{"", "", "y"});
  CHECK(read("<!-- a --><array><?b c?><string>d</string><!----></array> \n") == Strings{"d"});
  CHECK(read("<array/>").empty());
  CHECK(strings_of_xml_plist(std::string("<plist><string>x</string></plist>\n\0", 35)) ==
        Strings{"x"});
}

TEST_CASE("xml plist: of encodings only UTF-8 is read") {
  const auto in = [](const std::string& declaration) {
    return strings_of_xml_plist(declaration + "<plist><string>\xC3\xBC</string></plist>");
  };
  CHECK(in("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone='no'?>\n") == Strings{"ü"});
  CHECK(in("\xEF\xBB\xBF<?xml version='1.0' encoding='utf-8'?>") == Strings{"ü"});
  CHECK(in("<?xml version=\"1.0\"?>") == Strings{"ü"});
  CHECK_FALSE(in("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>"));
  CHECK_FALSE(in("<?xml version=\"1.0\" encoding?>"));
}

TEST_CASE("xml plist: a list that is cut short is none") {
  const std::string whole =
      "<?xml version=\"1.0\"?><plist a=\"b\"><array><string>&lt;<![CDATA[]]>"
      "</string><!-- c --></array></plist>";
  REQUIRE(strings_of_xml_plist(whole));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    CHECK_FALSE(strings_of_xml_plist(std::string_view(whole).substr(0, size)));
  }
}

TEST_CASE("xml plist: what no property list has makes it broken") {
  const char* const value = GENERATE(values<const char*>({
      "<b>x</b>",
      "<strings>x</strings>",
      "<string>x</key>",
      "<string>a<b/></string>",
      "<string>&nbsp;</string>",
      "<string>&#0;</string>",
      "<string>&#;</string>",
      "<string>&#x;</string>",
      "<string>&#xD800;</string>",
      "<string>&#x110000;</string>",
      "<string>&#99999999999999;</string>",
      "<string>&#1g;</string>",
      "<string>a & b</string>",
      "<array>x</array>",
      "<array></dict>",
      "<string <x>y</string>",
      "x",
      "</array>",
  }));
  CAPTURE(value);
  CHECK(read(value) == broken);
  CHECK_FALSE(strings_of_xml_plist("<plist/><plist/>"));
  // Whatever it declares: entities may be made of entities.
  for (const std::string declared : {"", "<!ENTITY a \"b\">", "<!-- >"}) {
    CAPTURE(declared);
    CHECK_FALSE(strings_of_xml_plist("<!DOCTYPE plist [" + declared +
                                     "]><plist><string>c</string></plist>"));
  }
}

TEST_CASE("xml plist: depth and number of strings are bounded") {
  CHECK(read(nested(15)) == Strings{"x"});
  CHECK(read(nested(16)) == broken);
  CHECK(read(nested(100'000)) == broken);
  std::string many = "<array>";
  for (int i = 0; i < 4096; ++i) many += "<string/>";
  CHECK(read(many + "</array>").size() == 4096);
  CHECK(read(many + "<string/></array>") == broken);
}

}  // namespace xml_plist_test
