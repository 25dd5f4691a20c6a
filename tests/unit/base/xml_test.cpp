#include "base/xml.h"

#include <gtest/gtest.h>

namespace lem {
namespace {

TEST(Xml, EscapesWhatMarkupMeans) {
  EXPECT_EQ(xml_escaped("a < b && \"c\" > d"), "a &lt; b &amp;&amp; &quot;c&quot; &gt; d");
}

TEST(Xml, KeepsUtf8AndReplacesWhatIsNone) {
  EXPECT_EQ(xml_escaped("\xC3\xA4\n"), "\xC3\xA4\n");
  EXPECT_EQ(xml_escaped("\xC3"), "\xEF\xBF\xBD");
  EXPECT_EQ(xml_escaped("\x01"), "\xEF\xBF\xBD");
}

}  // namespace
}  // namespace lem
