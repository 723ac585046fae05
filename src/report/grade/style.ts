/** How the page of a grade looks: two colour schemes, paper, and no font or picture from elsewhere. */
export const STYLE = `
:root { color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --line: #d9dee4; --ink: #1c2128; --soft: #57606a; --link: #0757b8; --code: #eef1f4;
  --pass: #116329; --pass-bg: #daf3e0; --fail: #a31621; --fail-bg: #ffe1e1; --warn: #7a5200; --warn-bg: #fdf0c6; --none: #4b535c; --none-bg: #e7eaee; --mark: #8a0f5c; --mark-bg: #fbdcee;
  --A: #1a7f37; --B: #4d7c0f; --C: #8f6200; --D: #b84500; --F: #c01f2c; --N: #57606a; --edge: #0003; }
@media (prefers-color-scheme: dark) { :root {
  --page: #0f1318; --card: #181d24; --line: #313944; --ink: #e8ecf1; --soft: #a3adb9; --link: #7db8ff; --code: #232a33;
  --pass: #7ee29a; --pass-bg: #12331d; --fail: #ff9a9a; --fail-bg: #431a1d; --warn: #f0cd6b; --warn-bg: #3a2e0c; --none: #b5bfca; --none-bg: #2a323c; --mark: #ffa8da; --mark-bg: #4a1a38; --edge: #fff4; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; -webkit-text-size-adjust: 100%; }
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
mark { color: var(--mark); background: var(--mark-bg); border-radius: 3px; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
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
.hero { display: grid; grid-template-columns: auto 1fr; gap: 1.1rem 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 18px; padding: clamp(1.1rem, 3vw, 2rem); margin-top: 2rem; }
.letter { grid-row: span 2; display: grid; place-items: center; width: 9.5rem; aspect-ratio: 1; border-radius: 22px; color: #fff; font-size: 6.5rem; font-weight: 800; line-height: 1; background: var(--N); box-shadow: inset 0 -6px 0 #0002, 0 8px 24px -12px #0008; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.letter.small { display: inline-grid; width: 1.6rem; border-radius: 5px; font-size: 1rem; vertical-align: -.1rem; box-shadow: none; }
.grade-A { background: var(--A); } .grade-B { background: var(--B); } .grade-C { background: var(--C); } .grade-D { background: var(--D); } .grade-F { background: var(--F); }
.hero > div:not(.why) { align-self: end; }
.meaning { font-size: 1.2rem; margin-top: .35rem; }
.facts { display: flex; flex-wrap: wrap; gap: .6rem 2rem; }
.facts dd { margin: 0; font-weight: 550; }
.why { grid-column: 1 / -1; border-top: 1px solid var(--line); padding-top: 1.1rem; }
.why h2 { font-size: .9rem; margin: 0 0 .2rem; color: var(--soft); font-weight: 500; letter-spacing: 0; }
.why p { max-height: 14rem; overflow: auto; }
.stats { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(9.5rem, 28%), 1fr)); gap: .8rem; margin-top: 1rem; }
.stats li { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: .8rem 1rem; color: var(--soft); font-size: .9rem; }
.stats b { display: block; color: var(--ink); font-size: 1.45rem; line-height: 1.25; font-variant-numeric: tabular-nums; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 1rem; }
.card, .group { overflow-wrap: anywhere; background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.1rem; overflow: hidden; }
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
.group { margin-top: 1rem; scroll-margin-top: 4rem; border-left: 4px solid var(--N); }
.group.fail { border-left-color: var(--F); } .group.warn { border-left-color: var(--C); }
.group > summary { display: grid; grid-template-columns: auto 1fr auto; gap: .2rem .7rem; align-items: baseline; list-style: none; }
.group > summary::before { content: "▸"; color: var(--soft); } .group[open] > summary::before { content: "▾"; }
.group > summary .quiet { white-space: nowrap; }
.group .fix { margin-top: .4rem; }
.fix { color: var(--soft); font-size: .94rem; }
.fix b { color: var(--ink); font-weight: 600; }
.findings { list-style: none; padding: 0; }
.findings li { border-top: 1px solid var(--line); padding-top: .9rem; margin-top: .9rem; }
.findings .chip { vertical-align: .1em; margin-right: .2rem; overflow: visible; }
.where { display: flex; flex-wrap: wrap; gap: 0 .8rem; margin-top: .25rem; font-size: .9rem; }
.group > .more, .group > p.quiet { margin-top: .9rem; padding-top: .8rem; border-top: 1px solid var(--line); }
.group > .more + p.quiet { border-top: 0; padding-top: 0; }
.more > summary { color: var(--link); width: fit-content; }
blockquote { border-left: 4px solid var(--F); background: var(--code); border-radius: 0 8px 8px 0; padding: .5rem .9rem; margin-top: .5rem; max-height: 14rem; overflow: auto; }
.warn > blockquote { border-left-color: var(--C); } .info > blockquote { border-left-color: var(--N); }
blockquote code { background: none; padding: 0; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 12px; background: linear-gradient(to right, var(--card) 40%, #0000) left / 2.5rem 100% no-repeat local, linear-gradient(to left, var(--card) 40%, #0000) right / 2.5rem 100% no-repeat local, linear-gradient(to right, var(--edge), #0000) left / .7rem 100% no-repeat, linear-gradient(to left, var(--edge), #0000) right / .7rem 100% no-repeat var(--card); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .5rem 1rem; border-top: 1px solid var(--line); vertical-align: top; font-weight: 400; }
thead th, thead th.num { font-family: inherit; }
thead th { border-top: 0; white-space: nowrap; color: var(--soft); font-size: .86rem; font-weight: 600; }
th.num, td.num { width: 1%; text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tbody th { min-width: 10rem; } td:not(.num, :empty) { min-width: 7rem; }
.risks { padding-left: 1.2rem; }
.digests { display: grid; gap: .45rem; margin-top: .8rem; }
.digests div { display: grid; grid-template-columns: minmax(7rem, 11rem) 1fr; gap: .2rem 1rem; align-items: baseline; }
.digests dd { margin: 0; }
.more { margin-top: 1rem; }
summary { cursor: pointer; }
.filter { display: flex; flex-wrap: wrap; gap: .6rem 1.2rem; align-items: center; margin-block: .8rem; }
.filter[hidden], .paper { display: none; }
input, select, button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--soft); border-radius: 8px; padding: .3rem .7rem; }
button { cursor: pointer; } ::placeholder { color: var(--soft); opacity: 1; }
.exchanges { background: var(--card); border: 1px solid var(--line); border-radius: 12px; overflow: clip; }
.exchanges > details { border-top: 1px solid var(--line); }
.exchanges > details:has(> :target) { outline: 2px solid var(--link); outline-offset: -2px; }
.exchanges > details:first-child { border-top: 0; }
.exchanges summary { display: grid; grid-template-columns: 3.9rem minmax(6rem, 1.2fr) 2fr 10.5rem 4.5rem; gap: .2rem .9rem; align-items: baseline; padding: .4rem 1rem; list-style: none; }
.exchanges summary::-webkit-details-marker, .group > summary::-webkit-details-marker { display: none; }
.exchanges summary .num:first-child::before { content: "▸ "; color: var(--soft); }
.exchanges details[open] summary .num:first-child::before { content: "▾ "; }
.exchanges summary:focus-visible { outline-offset: -3px; }
.exchanges summary:hover, .exchanges details[open] > summary { background: var(--code); }
.chips { text-align: right; }
.tool code { background: none; padding: 0; font-size: .88em; }
details:not([open]) > summary > .tool { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.for { color: var(--soft); font-size: .9rem; }
.ms { text-align: right; }
.said { padding: .5rem 1rem 1rem; scroll-margin-top: 8rem; }
.said h3 { font-size: .86rem; color: var(--soft); font-weight: 600; margin-top: .6rem; }
.note { background: var(--warn-bg); color: var(--warn); border-radius: 8px; padding: .7rem 1rem; }
footer { margin-top: 3rem; padding-block: 1.5rem 3rem; color: var(--soft); border-top: 1px solid var(--line); }
@media (max-width: 44rem) {
  .wide { padding-inline: .9rem; }
  .hero { gap: 1rem; margin-top: 1rem; } .hero > div:not(.why) { align-self: center; } .facts { gap: .6rem 1.4rem; grid-column: 1 / -1; }
  .letter:not(.small) { grid-row: auto; width: 4.5rem; font-size: 3.2rem; border-radius: 14px; }
  .stats { gap: .5rem; } .stats li { padding: .5rem .6rem; font-size: .82rem; line-height: 1.35; } .stats b { font-size: 1.15rem; }
  .group > summary .quiet { grid-column: 2; }
  th, td { padding-inline: .7rem; } tbody th { min-width: 8rem; }
  .top { position: static; } nav { margin-left: 0; }
  .digests div { grid-template-columns: 1fr; }
  .exchanges summary { grid-template-columns: 3.9rem 1fr auto; padding-inline: .7rem; } .tool { grid-column: 2 / -1; } .for { grid-column: 2; grid-row: 2; } .chips { grid-column: 3; grid-row: 2; } .ms { grid-column: 1; grid-row: 2; text-align: left; } }
@media print {
  :root { --page: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --code: #f2f2f2; --link: #000;
    --pass: #116329; --pass-bg: #daf3e0; --fail: #a31621; --fail-bg: #ffe1e1; --warn: #7a5200; --warn-bg: #fdf0c6; --none: #4b535c; --none-bg: #e7eaee; --mark: #8a0f5c; --mark-bg: #fbdcee; }
  body { font-size: 10.5pt; } .top, .skip, .filter, .exchanges > details:not([open]) { display: none; } .paper { display: block; } .wide { max-width: none; padding: 0; }
  .group::details-content, .more::details-content { content-visibility: visible; } .group > summary { grid-template-columns: 1fr auto; } .group > summary::before, .more > summary { display: none; } .exchanges { border: 0; }
  .card, .findings li, tr, .hero { break-inside: avoid; } h2, h3 { break-after: avoid; } pre, blockquote, .why p { max-height: none; overflow: visible; } }
`;
