/** How the page of a grade looks: two colour schemes, paper, and no font or picture from elsewhere. */
export const STYLE = `
:root { color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --line: #d9dee4; --ink: #1c2128; --soft: #57606a; --link: #0757b8; --code: #eef1f4;
  --pass: #116329; --pass-bg: #daf3e0; --fail: #a31621; --fail-bg: #ffe1e1; --warn: #7a5200; --warn-bg: #fdf0c6; --none: #4b535c; --none-bg: #e7eaee;
  --A: #1a7f37; --B: #4d7c0f; --C: #8f6200; --D: #b84500; --F: #c01f2c; --N: #57606a; }
@media (prefers-color-scheme: dark) { :root {
  --page: #0f1318; --card: #181d24; --line: #313944; --ink: #e8ecf1; --soft: #a3adb9; --link: #7db8ff; --code: #232a33;
  --pass: #7ee29a; --pass-bg: #12331d; --fail: #ff9a9a; --fail-bg: #431a1d; --warn: #f0cd6b; --warn-bg: #3a2e0c; --none: #b5bfca; --none-bg: #2a323c; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 4rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere; }
.wide { max-width: 70rem; margin-inline: auto; padding-inline: 1.25rem; }
h1, h2, h3, h4, p, ul, dl, blockquote { margin: 0; }
h1 { font-size: clamp(1.6rem, 4vw, 2.4rem); line-height: 1.15; letter-spacing: -.02em; }
h2 { font-size: 1.4rem; letter-spacing: -.01em; margin: 3rem 0 .9rem; }
h3 { font-size: 1rem; line-height: 1.4; }
section > p, section > .scroll, section > .filter { margin-block: .6rem; }
section > h3 { margin: 1.6rem 0 .5rem; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
code, pre, .num, .id { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .88em; }
code { background: var(--code); border-radius: 5px; padding: .1em .35em; unicode-bidi: isolate; }
pre { margin: .5rem 0; padding: .75rem 1rem; background: var(--code); border-radius: 8px; white-space: pre-wrap; overflow: auto; max-height: 26rem; }
pre code { padding: 0; background: none; font-size: 1em; }
.id { color: var(--soft); font-weight: 500; flex: none; overflow-wrap: normal; }
.quiet, .legend, dt { color: var(--soft); font-size: .9rem; }
.hide, .skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip:focus { position: absolute; top: .5rem; left: .5rem; z-index: 9; background: var(--card); padding: .5rem 1rem; border-radius: 8px; }
.top { position: sticky; top: 0; z-index: 5; background: var(--card); border-bottom: 1px solid var(--line); }
.top .wide { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; padding-block: .6rem; }
.brand { font-weight: 700; letter-spacing: -.01em; }
nav { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; margin-left: auto; }
nav a { color: var(--soft); text-decoration: none; font-size: .92rem; padding-block: .2rem; }
nav a:hover { color: var(--link); text-decoration: underline; }
.hero { display: grid; grid-template-columns: auto 1fr; gap: 1.5rem 2rem; align-items: center; background: var(--card); border: 1px solid var(--line); border-radius: 18px; padding: clamp(1.1rem, 3vw, 2rem); margin-top: 2rem; }
.letter { display: grid; place-items: center; width: 9.5rem; aspect-ratio: 1; border-radius: 22px; color: #fff; font-size: 6.5rem; font-weight: 800; line-height: 1; background: var(--N); box-shadow: inset 0 -6px 0 #0002, 0 8px 24px -12px #0008; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.letter.small { display: inline-grid; width: 1.6rem; border-radius: 5px; font-size: 1rem; vertical-align: -.3rem; box-shadow: none; }
.grade-A { background: var(--A); } .grade-B { background: var(--B); } .grade-C { background: var(--C); } .grade-D { background: var(--D); } .grade-F { background: var(--F); }
.meaning { font-size: 1.2rem; margin-top: .35rem; }
.facts { display: flex; flex-wrap: wrap; gap: .6rem 2rem; margin-top: 1.1rem; }
.facts dd { margin: 0; font-weight: 550; }
.why { grid-column: 1 / -1; border-top: 1px solid var(--line); padding-top: 1.1rem; }
.why h2 { font-size: .9rem; margin: 0 0 .2rem; color: var(--soft); font-weight: 500; letter-spacing: 0; }
.why p { max-height: 14rem; overflow: auto; }
.stats { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .8rem; margin-top: 1rem; }
.stats li { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: .8rem 1rem; color: var(--soft); font-size: .9rem; }
.stats b { display: block; color: var(--ink); font-size: 1.45rem; line-height: 1.25; font-variant-numeric: tabular-nums; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 1rem; }
.card, .group { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.1rem; overflow: hidden; }
.card { border-top: 4px solid var(--none); }
.card.pass { border-top-color: var(--A); } .card.fail { border-top-color: var(--F); } .card.skipped, .card.partial { border-top-color: var(--C); }
.card h3 { display: flex; gap: .5rem; align-items: baseline; margin-bottom: .6rem; }
.card h3 .chip { margin-left: auto; }
.card ul { list-style: none; padding: 0; display: grid; gap: .65rem; }
.card li { display: grid; grid-template-columns: 1.3rem 1fr; }
.card li > div { min-width: 0; }
.card .quiet a { white-space: nowrap; }
.card .quiet { font-size: .86rem; line-height: 1.45; }
.mark { font-weight: 700; color: var(--none); }
li.pass .mark { color: var(--pass); } li.fail .mark { color: var(--fail); } li.skipped .mark, li.partial .mark { color: var(--warn); }
.chip { display: inline-block; padding: .05rem .55rem; border-radius: 99px; font-size: .78rem; font-weight: 650; white-space: nowrap; max-width: 24ch; overflow: hidden; text-overflow: ellipsis; vertical-align: middle; flex: none; color: var(--none); background: var(--none-bg); print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.chip.pass { color: var(--pass); background: var(--pass-bg); } .chip.fail { color: var(--fail); background: var(--fail-bg); } .chip.warn, .chip.partial, .chip.skipped { color: var(--warn); background: var(--warn-bg); }
section > .legend { margin-top: 1rem; }
.legend { display: flex; flex-wrap: wrap; gap: .4rem 1.4rem; }
.group { margin-top: 1rem; scroll-margin-top: 4rem; }
.fix { margin-top: .3rem; color: var(--soft); font-size: .94rem; }
.fix b { color: var(--ink); font-weight: 600; }
.findings { list-style: none; padding: 0; }
.findings li { border-top: 1px solid var(--line); padding-top: .8rem; margin-top: .8rem; }
blockquote { border-left: 4px solid var(--F); background: var(--code); border-radius: 0 8px 8px 0; padding: .5rem .9rem; margin-top: .5rem; max-height: 14rem; overflow: auto; }
blockquote code { background: none; padding: 0; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 12px; background: var(--card); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .5rem 1rem; border-top: 1px solid var(--line); vertical-align: top; font-weight: 400; }
thead th, thead th.num { font-family: inherit; }
thead th { border-top: 0; color: var(--soft); font-size: .86rem; font-weight: 600; }
th.num, td.num { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tbody th { min-width: 10rem; }
.risks { padding-left: 1.2rem; }
.digests { display: grid; gap: .45rem; margin-top: .8rem; }
.digests div { display: grid; grid-template-columns: minmax(7rem, 11rem) 1fr; gap: .2rem 1rem; align-items: baseline; }
.digests dd { margin: 0; }
.more { margin-top: 1rem; }
summary { cursor: pointer; }
.filter { display: flex; flex-wrap: wrap; gap: .6rem 1.2rem; align-items: center; margin-block: .8rem; }
.filter[hidden] { display: none; }
input, select, button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--soft); border-radius: 8px; padding: .3rem .7rem; }
button { cursor: pointer; }
.exchanges { background: var(--card); border: 1px solid var(--line); border-radius: 12px; overflow: clip; }
.exchanges > details { border-top: 1px solid var(--line); scroll-margin-top: 4rem; }
.exchanges > details:first-child { border-top: 0; }
.exchanges summary { display: grid; grid-template-columns: 3.6rem minmax(6rem, 1.2fr) 2fr auto 5.5rem; gap: .2rem .9rem; align-items: baseline; padding: .4rem 1rem; list-style: none; }
.exchanges summary::-webkit-details-marker { display: none; }
.exchanges summary .num:first-child::before { content: "▸ "; color: var(--soft); }
.exchanges details[open] summary .num:first-child::before { content: "▾ "; }
.exchanges summary:hover, .exchanges details[open] > summary { background: var(--code); }
.exchanges .tool { background: none; padding: 0; max-height: 4.5em; overflow: hidden; }
.for { color: var(--soft); font-size: .9rem; }
.ms { text-align: right; }
.said { padding: .3rem 1rem 1rem; }
.said h4 { font-size: .86rem; color: var(--soft); font-weight: 600; margin-top: .6rem; }
.note { background: var(--warn-bg); color: var(--warn); border-radius: 8px; padding: .7rem 1rem; }
footer { margin-top: 3rem; padding-block: 1.5rem 3rem; color: var(--soft); border-top: 1px solid var(--line); }
@media (max-width: 44rem) {
  .hero { grid-template-columns: 1fr; }
  .letter:not(.small) { width: 6.5rem; font-size: 4.4rem; }
  .top { position: static; } nav { margin-left: 0; }
  .digests div { grid-template-columns: 1fr; }
  .exchanges summary { grid-template-columns: 3.6rem 1fr auto; } .for { grid-column: 2 / -1; grid-row: 2; } .ms { grid-column: 3; grid-row: 2; } }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@media print {
  :root { --page: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --code: #f2f2f2; --link: #000;
    --pass: #116329; --pass-bg: #daf3e0; --fail: #a31621; --fail-bg: #ffe1e1; --warn: #7a5200; --warn-bg: #fdf0c6; --none: #4b535c; --none-bg: #e7eaee; }
  body { font-size: 10.5pt; } .top, .skip, .filter { display: none; } .wide { max-width: none; padding: 0; }
  .card, .findings li, tr, .hero { break-inside: avoid; } h2, h3 { break-after: avoid; } pre, blockquote, .why p { max-height: none; overflow: visible; } }
`;
