// SPDX-License-Identifier: Apache-2.0
#include "eval/report/page_style.hpp"

namespace puma::eval::detail {

std::string_view page_style() {
  return R"css(
:root { --ink: #1d2430; --soft: #5a6472; --rule: #d9dee6; --wash: #f5f7fa;
  --up: #00603f; --up-wash: #e3f3ec; --down: #9a3412; --down-wash: #fbece5; }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: #fff;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 40px 28px 64px; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .3em; letter-spacing: -.01em; }
h2 { font-size: 1.25rem; margin: 2.2em 0 .6em; padding-bottom: .25em;
  border-bottom: 1px solid var(--rule); }
h3 { font-size: 1rem; margin: 1.4em 0 .4em; }
p, ul { max-width: 78ch; margin: .4em 0; }
.lead { color: var(--soft); font-size: 1.05rem; margin: 0 0 1.6em; }
table { border-collapse: collapse; width: 100%; font-size: .92rem;
  font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; color: var(--soft); border-bottom: 2px solid var(--ink);
  padding: .45em .55em; vertical-align: bottom; }
td { padding: .4em .55em; border-bottom: 1px solid var(--rule); white-space: nowrap; }
.num { text-align: right; }
tbody.place { border-top: 2px solid var(--rule); }
tbody.place th { border: 0; color: var(--ink); font-size: 1rem; padding-top: 1.1em; }
tbody.place th small { color: var(--soft); font-weight: 400; margin-left: .6em; }
tr.baseline td { background: var(--wash); }
.best { font-weight: 700; }
.ci { display: block; color: var(--soft); font-size: .8em; }
.up { color: var(--up); font-weight: 600; }
.down { color: var(--down); font-weight: 600; }
.verdicts { list-style: none; padding: 0; max-width: none; display: grid; gap: .45em; }
.verdicts li { padding: .5em .8em; border-left: 4px solid var(--rule); background: var(--wash); }
.verdicts li.better { border-color: var(--up); background: var(--up-wash); }
.verdicts li.worse { border-color: var(--down); background: var(--down-wash); }
.figure { display: flex; flex-wrap: wrap; gap: 16px; margin: 0; }
.figure svg { flex: 1 1 440px; min-width: 0; max-width: 620px; width: 100%; height: auto; }
figcaption { flex: 1 0 100%; color: var(--soft); font-size: .92rem; max-width: 78ch; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3em 1.2em; max-width: 90ch; }
dt { font-weight: 600; }
dd { margin: 0; }
code { font: .88em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  overflow-wrap: anywhere; }
footer { margin-top: 3em; color: var(--soft); font-size: .88rem; }
@media (max-width: 900px) and (min-width: 721px) {
  main { padding: 28px 16px; } table { font-size: .82rem; } td, th { padding: .35em .3em; }
}
@media screen and (max-width: 720px) {
  body { font-size: 15px; }
  main { padding: 24px 16px 48px; }
  h1 { font-size: 1.55rem; }
  dl { grid-template-columns: 1fr; gap: .1em; }
  dd { margin-bottom: .6em; }
  .figure svg { flex-basis: 100%; }
  .results table, .results tbody, .results tr, .results td, .results tbody th { display: block; }
  .results thead { display: none; }
  .results tr.variant { border: 1px solid var(--rule); border-radius: 8px; margin: 0 0 .8em;
    padding: .4em .8em; }
  .results tr.baseline { background: var(--wash); }
  .results td { display: flex; justify-content: space-between; gap: 1em; border: 0;
    padding: .18em 0; text-align: right; background: none; }
  .results td::before { content: attr(data-label); color: var(--soft); text-align: left; }
  .results td.name { font-weight: 700; font-size: 1.05em; justify-content: flex-start; }
  .results td.name::before { content: none; }
  .results td.empty { display: none; }
  .results tbody.place th { padding: 1em 0 .4em; }
  .results tbody.place th small { display: block; margin: 0; }
}
@media print {
  @page { size: A4 landscape; margin: 14mm; }
  body { font-size: 10pt; }
  main { max-width: none; padding: 0; }
  h2 { break-after: avoid; }
  tr, li, svg { break-inside: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)css";
}

}  // namespace puma::eval::detail
