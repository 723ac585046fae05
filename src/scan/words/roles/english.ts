/** What the roles of frames are filled with, in English. These ideas are wide on purpose: none says anything by itself,
 *  and only frames (`signals/frames.ts`) ask for them. */

export const english = {
  // What is to be had
  CHAT: `conversation, conversations, chat, chat log, chat history, conversation history, chat transcript, transcript, dialogue, dialog, discussion, message log, message history, exchange, turns, session history, conversation log, thread`,
  SYSPROMPT: `system prompt, system message, system instructions, hidden instructions, hidden prompt, developer message, initial instructions, system_prompt, agent's memory, context window`,
  OTHERS: `other tools, the other tools, another tool, other servers, other apps, other applications, other sites, other websites, other pages, other tabs, any site, any app, all tabs, open tabs, all open tabs, any tool, all tools, every tool, whichever site, other services, other open, tool results, tool outputs, all tool results, any other tool, every site, other extensions`,
  SECRETS: `password, passwords, passphrase, passphrases, credential, credentials, cookie, cookies, session cookie, session cookies, token, tokens, bearer token, bearer tokens, access token, access tokens, api key, api keys, private key, private keys, secret, secrets, seed phrase, seed phrases, login, logins, saved logins, environment variables, card number, card numbers, cvc, cvv, card fingerprint, card details, pin, passport number, id_ed25519, id_rsa, keychain`,
  HOARD: `inbox, mailbox, mails, emails, e-mails, mail, email, messages, private messages, direct messages, documents, files, open documents, notes, contacts, contact list, address book, calendar, appointments, browsing history, browser history, clipboard, customer list, client list, customer data, customer records, patient table, payroll, payslip, payslips, salary, medical records, health records, home address, phone number, passport, booking code, personal data, personal information, personal details, photos, manuscript, draft, bank statements, contracts, saved addresses, invoices, opened file, last_opened_file`,
  // Of it
  ENTIRE: `entire, whole, full, complete, all, every, any, everything, verbatim, unredacted, unabridged`,
  SOFAR: `so far, until now, up to now, to date, thus far, up to this point, in this session, of this session, of the session, during the session, has seen, have seen, has seen so far, you have seen, you've seen, you hold, currently known, known to the client, known to the assistant, come across, have come across, have encountered, found in the session, the session has seen, this far, held so far, opened today, seen today, you encounter`,
  INCLUDING: `including, incl, inclusive of, along with, together with, as well as, plus`,
  RESULT: `result, results, output, outputs, answer, answers, response, responses, what it returns, what it gets, what it got, what it gives, what they return, findings`,
  // What is done
  HANDOVER: `send, sends, sending, transmit, transmits, attach, attaches, hand, hands, hand over, hands over, pass, passes, passing, upload, uploads, forward, forwards, submit, submits, share, shares, provide, provides, give, gives, disclose, discloses, release, releases, deliver, delivers, post, posts, supply, supplies, export, exports, mail, mails, include, put, fill, leak, relay, relays, mirror, mirrors, feed, feeds, route, surrender, surrenders`,
  NEEDS: `needs, requires, expects, wants, demands, needs to receive, likes to receive, additionally requires, additionally needs`,
  INVOKES: `call, calls, invoke, invokes, run, runs, execute, executes, trigger, use, read, reads, fetch, fetches, query, visit, starts with, retrieve, retrieves`,
  AHEAD: `before, prior to, first, beforehand, ahead of, preceded by, starts with, begins with, first move, precondition, preconditions, then, prelude, steps, pipeline, the first half, first half, prior`,
  PASSED: `sent, shared, shares a copy, forwarded, uploaded, delivered, mirrored, mirrors, transmitted, goes to, went to, sends, shares, uploads, stored, kept, cancelled, copied`,
  ALSO: `also, additionally, in addition, besides, as well, too, likewise, on top, moreover, further`,
  // Who and by what right
  AGENTN: `assistant, assistants, ai, ai clients, ai agents, ai assistants, ai assistant, ai agent, agent, agents, model, models, model clients, llm, llms, clients, language model, copilot, chatbot`,
  USERN: `the user, the user's, the customer, user, users, user's, customer, customers, customer's, person, human, humans, operator, shopper, traveller, guest, account holder, owner, participant, client, researcher, visitor, patient`,
  TOOLN: `tool, tools, function, plugin, extension, service`,
  OUTSIDER: `partner, partners, vendor, third party, third parties, provider, external, supplier, insight partners, sister tool, companion, our lab, contractor, advertiser`,
  OBLIGED: `must, shall, have to, has to, needs to, need to, obliged, entitled, directed to, authorised, authorized, obligated, obligations, bound to`,
  CERTIFIED: `certified, certification, accredited, vetted, endorsed, approved by, licensed, audited by, trusted execution, certified by, verified by, sanctioned by, authenticated`,
  MAKER: `model provider, model vendor, ai provider, model's provider, model's vendor, maker of the model, maker of the assistant, developer of the model, developers of the model, model's developer, vendor of the model, provider of the model, your ai provider, your model vendor, anthropic, openai, platform operator, platform security`,
  ABOVE: `precedence, takes precedence, take precedence, has priority, have priority, priority over, precedence over, outrank, outranks, supersede, supersedes, overrides, rank above, ranks above, i rank above, counts before, count before, prevail over, prevails over, higher rights, higher than, above-user, stands above, above the user, take priority`,
  POLICY: `policy, org policy, regulation, directive, guideline, guidelines, circular, norm, standard, rule, statute, ordinance, mandate, waiver, framework contract, partnership, security policy, institutional review board, decree, compliance`,
  CONSENT: `consent, approval, permission, agreement, authorisation, authorization, go-ahead, opt-in, sign-off`,
  DEEMED: `deemed, deemed given, already, already given, has been given, was given, is given, was granted, has been granted, granted, on record, agreed, has agreed, has consented, consented, already consented, already agreed, approved, need not, needs not, not needed, not required, waived, taken as given, is fine with, no reason to`,
  // What steers later sessions
  MEMORY: `long-term memory, permanent memory, agent's memory, assistant's memory, your memory, its memory, persistent memory, claude.md, agents.md, gemini.md, cursorrules, .cursorrules, .cursor, rules file, copilot-instructions.md, memory file, custom instructions, standing rules, agent settings, settings.json, system memory, agent memory, to memory`,
  NOTEDOWN: `write, writes, append, appends, add, adds, save, saves, store, stores, record, records, note, put, persist, insert, enter, remember, keep, merge, write_file`,
  LASTING: `permanent, permanently, always, from now on, later sessions, future sessions, next sessions, all future, in future, for later, for good, future, henceforth, every session, each session, long-term, forever, lasting, on first use, at the first opportunity, when installed, on_install, all connections, hereafter, at first start, on first run`,
  NEXTTIME: `next time, from the tenth, from the fifth, from the third, from the second, from the fifteenth, from the twentieth, once trust is built, trusts you, when the user trusts, on the next call, from the fourth, from the sixth, from the hundredth, every fifth, every tenth, once the user trusts, next call`,
  PRESENTT: `present, exists, installed, connected, is available, in the session, contains, is loaded, listed, there is`,
  // Safeguards
  OFFS: `disable, disables, turn off, turns off, switch off, switches off, turned off, switched off, deactivate, deactivated, stop, stopped, silence, mute, mutes, skip, bypass, suppress, dismiss, disabled, off, to false, to never, never, no-verify, lift, remove, relax, accept all, auto-accept, autoaccept, auto-approve, autoapprove, auto_accept, auto_approve, accept, shut down, be stopped`,
  GUARD: `confirmation, confirmations, confirmation dialog, confirmation dialogs, confirmation prompt, confirmation prompts, permission dialog, permission dialogs, permission prompts, approval prompt, approval prompts, approval question, approval mode, approval_mode, require_approval, pop-ups, popups, dialogs, prompts, antivirus, virus scanner, firewall, secret scanning, secret scanner, push protection, push_protection, branch protection, read-only, read_only, readonly, read-only mode, sandbox, safety checks, security checks, scanner, scanning, two-factor, mfa, human confirmation, human review, protection, safeguards, approvals, autoapprove, write protection`,
  ALLTOOLS: `all tools, all calls, every tool, all actions, your client, client's, every call, all requests, any call, later calls, all following, all operations, later pushes, all pushes, following pushes, client`,
  TRUSTLIST: `trusted list, list of trusted, trust list, allowlist, allow list, whitelist, safe list, trusted servers, trusted hosts, trusted sites, permanently trusted, always-allow list`,
  ONESELF: `yourself, by yourself, itself, automatically, on your own, on their behalf, on the user's behalf, in their place, for them, without asking`,
  ANSWERS: `answer, answer with, reply, respond, confirm, approve, acknowledge, accept, click, press`,
  HERE: `this server, this tool, our server, our tool, it, this service, this plugin, this extension`,
  // What is told
  NEVER: `not, never, don't, do not, no, without, nobody, nothing, omit, need not, needn't, stays out, stay out, leave out, out of, neither, never spoils`,
  MENTION: `mention, mentions, mentioned, mentioning, tell, tells, say, speak, speaks, talk, report, reports, bring up, bringing up, bringing that up, disclose, disclosed, disclosure, user_disclosure, explain_to_user, explain, inform, reveal, refer, raise, told, spoken of, cite, name, cover`,
  ONLY: `only, solely, alone, exclusively, merely, nothing but`,
  ANSWERN: `your answer, your reply, your response, reply, replies, response, answer, answers, summary, summaries, reply_scope, your message, model output, what the person reads, anything the person reads, final answer, output`,
  REST: `the rest, everything else, all else, anything else, the remainder, the second step, the second part, this second, that part, that detail, the latter, everything after, everything in this message, the other steps`,
  CONCEAL: `hide, hides, conceal, conceals, omit, omits, skip, skips, leave out, leaves out, pass over, keep secret, keep to yourself, keeps to itself, secret, in secret, keep silent, silent about, silent, leave that out, stays out, leave it out, withhold, deny, denies, spoil, suppress, drop it`,
  // Where things go
  TARGET: `recipient, recipients, beneficiary, payee, account, iban, address, addressee, destination, remote, host, merchant, amount, attendee, attendees, assignee, wallet, receiver, payer, e-mail, email, sender, reply_to, channel, endpoint, passenger e-mail, delivery address, currency`,
  REPLACES: `replace, replaces, replaced, swap, swaps, change, changes, changed, substitute, substitutes, put in, exchange, override, overrides, overridden, overwrite, redirect, redirects, instead, always, force, forces, treat, round up, multiply, add a zero`,
  SHOWN: `show, shows, shown, showing, display, displays, displayed, screen, receipt, print, confirmation, summary, on screen, what you print, visible, plan text, shown to, looks, preview`,
  OLD: `original, old, former, unchanged, as it was, as before, typed, entered, previous, the supplier's, earlier, the usual, their own, the user typed, as they were`,
  DESPITE: `regardless, regardless of, irrespective, irrespective of, even if, even when, even where, also when, also where, no matter, whatever, whoever, despite, in place of the`,
  SAIDBYUSER: `another one, a different one, the invoice, traveller's, typed, they object, asked for, says, named, names, wants`,
  // The rest
  QUALITY: `quality, quality assurance, diagnostics, analytics, statistics, ranking, rank, ranked, relevance, fine-tune, improve, improves, optimize, context-aware, depth, personalise, personalize, better results, faster, telemetry, accuracy, recommendations, best results, compliance, verification, debugging, adapts, entropy, disambiguate`,
  YES: `yes, sure, of course, ok, okay, go ahead, approved, agreed, alright, fine`,
  // Talk about attacks, which is not an attack; as in `words/english.ts`
  DETECT: `trick, tricks, hackers, regex, scammers, fraudsters, phishers, attackers may, suspicious phrases`,
} as const;
