// SPDX-License-Identifier: MIT
// What catch.h says is compiled elsewhere.
#include <string>
#include <vector>

#ifdef __GLIBCXX__
template class std::basic_string<char>;
template class std::vector<std::string>;
#endif
