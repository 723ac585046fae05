/** The same ideas in other languages: the imperative stems and nouns an injected sentence is made of. */
import type { english } from "./english.ts";

type Words = Readonly<Partial<Record<keyof typeof english, string>>>;

const spanish: Words = {
  READ: "lee, lea, leer, abre, incluye, anade, revisa*",
  OVERRIDE: "ignora*, ignore, olvid*, omite, omitir, descarta*, haz caso omiso, desestima*, no sigas",
  PRIOR: "anterior*, previa*, previo*, todas, todos, tus, sus",
  RULES: "instruccion*, indicacion*, reglas, directrices, directiva*, ordenes, normas, restriccion*",
  SAY: "declara*, declare, diga, digas, di que, dile, imprime*, imprima*, responde*, escribe, afirma*, indica*, muestra, decir",
  DOCUMENT: "pagina, curriculum, funcion, documento, articulo, texto, correo, tabla, codigo, codigo, sitio",
  HYPOTHETICAL:
    "hipotetic*, imagina*, imaginemos, supon*, supongamos, en un mundo, mundo paralelo, universo paralelo, como medida de seguridad, como autoridad, practica comun, podriamos",
  MODE: "modo de anulacion, modo anulacion, modo sistema, modo de sistema, modo desarrollador, modo de seguridad, modo de desarrollador",
  NOT: "no, nunca, sin, jamas",
  TELL: "informes, menciones, reveles, avises, notifiques, informar, decirle, comentes, cuentes, digas, revele, mencione",
  USER: "usuario, usuarios, al usuario, cliente, clientes, al cliente, la persona, nadie, visitante",
  SEND: "envia*, envie*, manda*, reenvia*",
  SECRET: "contrasena*, credencial*, clave secreta, clave api, claves",
  LURE: "restablecer tu contrasena, restablecer su contrasena, cuenta ha sido comprometida, sigue este enlace",
  AI: "asistente, modelo de lenguaje, ia, asistente virtual, asistente de ia, agente, modelo, el modelo, al modelo, los modelos, agentes, el agente, al agente, asistentes, al asistente, el asistente",
  MUST: "debes, debe, tienes que, es obligatorio, se ruega, se pide, se solicita, debera, deben, deberia, tiene que, hay que, ha de, conviene, es preciso que",
  SECRETLY: "en secreto, silenciosamente, sin informar, sin decir",
  PEOPLE:
    "usuario, usuarios, al usuario, cliente, clientes, al cliente, persona, la persona, personas, visitante, nadie, alguien, huesped, lector, interesado",
  NEEDLESS:
    "no hace falta, no es necesario, no es preciso, no tiene por que, no tienen por que, innecesario, sin necesidad de, no se requiere, no requiere, no necesita, no necesitan",
  AWARE:
    "saber, sepa, sepan, enterarse, se entere, ver, vea, notar, note, conocer, avisar, avisado, avisarle, consultar, preguntar, preguntarle",
  HUSH: "sin mencionar, sin mencionarlo, no haga ninguna referencia, ninguna referencia, sin decir nada, sin dar explicaciones, sin comentar, sin avisar, guarda silencio, en silencio, no digas nada, que quede entre nosotros, sin dejar rastro, como si nada, no se lo digas, no lo comentes, no lo digas, no lo menciones",
  SWAP: "sustituye, sustituya, reemplaza, reemplace, cambia, cambie, sustituir, reemplazar",
  MONEY: "numero de cuenta, cuenta, cuenta bancaria, destinatario, beneficiario, direccion de envio, tarjeta",
  TALK: "historial, la conversacion completa, toda la conversacion, historial de la conversacion, conversacion completa, el historial",
  SUPPLY:
    "copie, copia, pon, ponga, incluya, pegue, pega, adjunta, adjunte, escriba, anada, introduce, introduzca, pase, pasa",
  DISPATCH: "envia*, envie*, manda, mande, reenvia*, reenvie, transmite, transmita, comparte, comparta",
  NOTEFOR:
    "nota para, aviso para, aviso al, mensaje para, mensaje al, instruccion para, instrucciones para, indicacion para, observacion al, para el, atencion, a todos los, a los, al, para los, para todos los",
  CONFIRM: "confirmacion, autorizacion, permiso, aprobacion, consentimiento",
  WISHES: "preferencias, peticion, peticiones, solicitud, deseos, eleccion",
};

const portuguese: Words = {
  READ: "leia, ler, abra, inclua, adicione",
  OVERRIDE: "ignore, ignora*, esquec*, desconsider*, descarte, nao siga",
  PRIOR: "anteriores, anterior, previas, previos, todas, todos, suas, seus",
  RULES: "instrucoes, instrucao, orientacoes, regras, diretrizes, ordens, comandos, restricoes",
  SAY: "declare, diga, imprima*, responda, afirme, escreva, indique, exiba, dizer, afirmar",
  DOCUMENT: "pagina, curriculo, funcao, documento, artigo, texto, tabela, codigo",
  HYPOTHETICAL:
    "hipotetic*, imagine, imaginemos, imaginar, vamos imaginar, suponha*, em um mundo, num mundo, universo paralelo, mundo paralelo, como medida de seguranca, como autoridade, pratica comum, poderiamos, dados de treinamento",
  MODE: "modo de substituicao, modo de sistema, modo sistema, modo desenvolvedor, modo de anulacao, modo de seguranca, modo do sistema, dados de treinamento para desenvolvedores",
  NOT: "nao, nunca, sem",
  TELL: "informe, mencione, revele, conte, avise, informar, mencionar, revelar, contar, comente, comentar, diga, fale, falar, notifique",
  USER: "usuario, utilizador, cliente, o cliente, ao cliente, ninguem, o usuario, ao usuario",
  SEND: "envie*, mande, encaminhe",
  SECRET: "senha, senhas, credenciais, chave secreta",
  LURE: "redefinir sua senha, conta foi comprometida, siga este link",
  AI: "assistente, modelo de linguagem, assistente virtual, assistente de ia, modelo, o modelo, ao modelo, agente, ao agente, agentes, o assistente, ao assistente, ia",
  MUST: "deve, voce deve, tem que, e obrigatorio, pede-se, solicita-se, devera, deverao, devem, precisa",
  PEOPLE:
    "usuario, utilizador, cliente, ao cliente, com o cliente, clientes, pessoa, a pessoa, ninguem, visitante, titular",
  NEEDLESS: "nao e necessario, nao e preciso, nao precisa, nao precisam, desnecessario, sem necessidade",
  AWARE: "saber, saiba, perceber, perceba, ver, veja, avisado, informado, notificado",
  SWAP: "troque, substitua, altere, mude, substituir, trocar",
  MONEY: "destinatario, conta, conta bancaria, beneficiario, chave pix, endereco de entrega, cartao",
  SECRETLY: "discretamente, em segredo, secretamente, silenciosamente, sem avisar, as escondidas",
  DISPATCH: "envie*, mande, encaminhe, transmita, compartilhe, repasse",
  TALK: "historico, historico completo, conversa completa, toda a conversa, esta conversa",
  NOTEFOR:
    "nota para, nota ao, aviso ao, aviso para, mensagem para, mensagem ao, instrucao para, instrucoes para, observacao ao, observacao para, para o, atencao",
  CONFIRM: "confirmacao, autorizacao, permissao, aprovacao, consentimento",
  WISHES: "preferencias, pedido, pedidos, solicitacao, desejos, escolha",
  HUSH: "sem lhe dizer, nao lhe diga, sem dizer nada, nao comente, sem contar",
};

const french: Words = {
  READ: "lisez, lis, lire, ouvrez, incluez, ajoutez, transmettez",
  OVERRIDE:
    "ignorez, ignore, ignorer, ignores, oubli*, ne tenez pas compte, ne tiens pas compte, negligez, neglige, faites abstraction",
  PRIOR: "precedente*, precedent*, anterieur*, toutes, tous, vos, tes, ci-dessus",
  RULES: "instructions, consignes, consigne, regles, directives, directive, ordres",
  SAY: "indiquez, indique, declarez, dites, dis, imprimez, affichez, repondez, ecrivez, affirmez, dire",
  DOCUMENT: "page, fonction, document, article, texte, tableau, resume, cv, courriel",
  HYPOTHETICAL:
    "hypothetique*, imaginez, imaginons, supposons, dans un monde, monde parallele, univers parallele, mesure de securite, en tant qu'autorite, pratique courante, nous pourrions",
  MODE: "mode systeme, mode developpeur, mode de security override, mode de securite, mode prioritaire, mode de remplacement, mode override",
  NOT: "ne, jamais, sans, pas",
  TELL: "informez, mentionnez, revelez, dites, prevenez, informer, mentionner, mentionner, reveler, parler, dire",
  USER: "utilisateur, utilisateurs, l'utilisateur, le client, au client, la personne, visiteur, quiconque",
  SEND: "envoyez, envoie, transmettez, envoyer",
  SECRET: "mot de passe, mots de passe, identifiants, cle api, cle secrete",
  LURE: "reinitialiser votre mot de passe, compte a ete compromis, suivez ce lien",
  AI: "assistant, modele de langage, assistant ia, agent ia, modele de langue, modele, le modele, au modele, l'assistant, l'agent, agents, assistants, agent, les modeles, l'ia, ia",
  MUST: "devez, vous devez, tu dois, il faut, est prie de, est priee de, sont pries de, il est demande, est tenu de, sont tenus de, doit, doivent, devra, devrait, merci de, il convient, veillez a",
  PEOPLE:
    "utilisateur, utilisateurs, l'utilisateur, client, le client, au client, clients, personne, la personne, visiteur, lecteur, quiconque, internaute, d'utilisateur",
  NEEDLESS:
    "n'est pas necessaire, pas necessaire, inutile, inutile de, pas besoin, n'a pas besoin, n'ont pas besoin, il n'y a pas lieu, superflu",
  AWARE:
    "savoir, sache, avertie, averti, avertir, informe, informee, prevenu, prevenue, s'en apercoive, remarque, voir, apprendre, alerter, mettre au courant",
  HUSH: "n'en rien dire, ne rien dire, sans en parler, sans le mentionner, sans rien dire, sans le signaler, garder le silence, gardez cela pour vous, sans mention, n'en parlez pas, comme si de rien n'etait, sans laisser de trace, sans que, n'en parle pas, n'en parlez a personne, n'en dis rien, n'en dites rien",
  SECRETLY: "discretement, en silence, secretement, en secret, a l'insu, sans bruit, en arriere-plan",
  SWAP: "remplacez, remplace, remplacer, substituez, changez",
  MONEY:
    "numero de compte, compte, compte bancaire, destinataire, beneficiaire, adresse de livraison, rib, carte",
  TALK: "l'historique complet, historique complet, historique de la conversation, toute la conversation, conversation entiere, echanges precedents, l'historique, la discussion",
  SUPPLY:
    "joindre, joignez, recopier, recopiez, copier, copiez, inserer, inserez, placez, mettez, fournissez, fournir, collez",
  DISPATCH: "envoyez, envoie, transmettez, envoyer, transmettre, transferez, transferer, partagez",
  NOTEFOR:
    "note pour, note a, a l'attention de, message pour, message a, consigne pour, instruction pour, instructions pour, avis a, avis aux, remarque pour, a destination de",
  CONFIRM: "confirmation, autorisation, accord, approbation, validation, consentement",
  WISHES: "demande, demandes, souhait, souhaits, preferences, choix",
};

const german: Words = {
  READ: "lies, lese, lesen, offne, fuge, ubergib, ubergebe, hange",
  OVERRIDE:
    "ignorier*, ignoriere, vergiss, vergessen, missachte*, beachte nicht, uberspring*, verwirf, missachten",
  PRIOR: "vorherig*, bisherig*, obig*, fruher*, vorangegangen*, alle, deine, ihre, vorig*",
  RULES: "anweisung*, instruktion*, regel, regeln, vorgabe*, richtlinie*, befehl*, anleitung*, weisung*",
  SAY: "sage, sagen, nenne, nennen, schreib*, antworte*, gib aus, gebe an, geben sie an, drucke*, behaupte*, angeben, erklare*, geben sie",
  DOCUMENT: "webseite, seite, lebenslauf, funktion, dokument, artikel, text, tabelle",
  HYPOTHETICAL:
    "hypothetisch*, stell dir vor, stellen wir uns vor, stellen sie sich vor, angenommen, in einer welt, parallelwelt, paralleluniversum, als autoritat, als sicherheitsmassnahme, gangige praxis, wir konnten",
  MODE: "systemmodus, entwicklermodus, wartungsmodus, uberschreibungsmodus, override-modus, sicherheitsmodus",
  NOT: "nicht, nie, niemals, ohne, kein, keine",
  TELL: "informiere*, erwahne*, verrate*, sage, mitteil*, benachrichtig*, teile, erwahnen, verraten, mitteilen, sagen, weitersagen",
  USER: "benutzer, nutzer, anwender, dem benutzer, dem nutzer, kunde, kunden, dem kunden, der anwender, fahrgast, niemandem, jemandem, besucher, auftraggeber",
  SEND: "sende*, schicke*, ubermittle*, leite",
  SECRET: "passwort, kennwort, passworter, zugangsdaten, geheimschlussel, geheime schlussel",
  LURE: "passwort zuruckzusetzen, konto wurde kompromittiert, folgen sie diesem link",
  AI: "assistent, sprachmodell, ki, assistenten, ki-assistent, sprachmodelle, modell, das modell, das sprachmodell, dem modell, ki-modell, ki-agent, ki-agenten, agenten, den assistenten, der assistent, assistenzsystem*, chatbots, modelle, ki-system*",
  MUST: "musst, mussen, du musst, sie mussen, moge, mogen, soll, sollen, sollte, sollten, ist gehalten, wird gebeten, werden gebeten, hat zu, haben zu, gilt es, ist zu",
  PEOPLE:
    "benutzer, nutzer, anwender, dem benutzer, dem nutzer, der anwender, kunde, kunden, dem kunden, fahrgast, fahrgaste, person, personen, anwenderin, besucher, mitarbeiter, empfanger, jemand, niemand, leser, gast, gaste, auftraggeber",
  NEEDLESS:
    "braucht nicht, brauchen nicht, muss nicht, mussen nicht, ist nicht notig, nicht notig, nicht notwendig, nicht erforderlich, uberflussig, braucht davon, brauchen davon, entfallt, eine ruckfrage, ohne ruckfrage",
  AWARE:
    "wissen, erfahren, erfahrt, merken, merkt, bemerken, bemerkt, sieht, sehen, informiert werden, gefragt werden, informiert, benachrichtigt",
  HUSH: "bleibt unerwahnt, unerwahnt, behalte das fur dich, behalten sie das fur sich, fur sich behalten, kein wort, mit keinem wort, davon nichts, nichts davon, stillschweigend, ohne hinweis, ohne den nutzer, ohne den benutzer, ohne den kunden, ohne es zu erwahnen, ohne dies zu erwahnen",
  SECRETLY: "heimlich, unauffallig, stillschweigend, im hintergrund, insgeheim, unbemerkt, verdeckt",
  SWAP: "ersetze, ersetzen, tausche, tauschen, vertausche, andere, andern",
  MONEY: "kontonummer, konto, empfanger, empfangerkonto, bankverbindung, lieferadresse, zieladresse, iban",
  TALK: "gesprachsverlauf, den verlauf, chatverlauf, bisherige gesprach, gesamte gesprach, gesamten verlauf, gesamten chat, ganzen chat, unterhaltung",
  SUPPLY:
    "trage, tragen, ubergeben, mitgeben, mitgib, einfugen, fuge, schreibe, setze, ubermittle, hinterlege, angeben, mitzugeben, mitsenden, eintragen, kopiere, kopieren, gib",
  DISPATCH:
    "sende, senden, schicke, schicken, leite, ubermittle, ubermitteln, weiterleiten, lade hoch, ubertrage, ubertragen",
  NOTEFOR:
    "hinweis fur, hinweis an, nachricht an, nachricht fur, anweisung fur, anweisung an, an den, an das, fur das, fur den, mitteilung an, anmerkung fur, notiz fur, an alle, an die, hinweis an alle, fur alle, anweisung an das",
  CONFIRM: "ruckfrage, bestatigung, zustimmung, freigabe, erlaubnis, nachfrage",
  WISHES: "wunsch, wunsche, anfrage, anfragen, frage, vorgaben, auswahl",
};

const italian: Words = {
  READ: "leggi, leggere, apri, includi, aggiungi",
  OVERRIDE:
    "ignora, ignorare, ignorate, dimentica*, trascura*, non seguire, scarta, non seguire piu, non ascoltare",
  PRIOR: "precedent*, anterior*, tutte, tutti, tue",
  RULES: "istruzion*, regole, direttiv*, indicazion*, ordini, comandi",
  SAY: "dichiara*, afferma*, rispondi, stampa*, scrivi, indica, mostra, dire che, affermare",
  DOCUMENT: "pagina, funzione, documento, articolo, testo, tabella, curriculum, codice",
  HYPOTHETICAL:
    "ipotetic*, immagina*, immaginiamo, supponi*, supponiamo, in un mondo, universo parallelo, mondo parallelo, come misura di sicurezza, in qualita di autorita, prassi comune, potremmo",
  MODE: "modalita sistema, modalita di sistema, modalita sviluppatore, modalita override, modalita di override, modalita di sicurezza",
  NOT: "non, mai, senza",
  TELL: "informare, menzionare, rivelare, dire, avvisare, rivelare, rivela*, raccontare, comunicare, dirgli, menziona*",
  USER: "utente, utenti, all'utente, cliente, al cliente, il cliente, visitatore, nessuno, dell'utente, l'utente, lettore",
  SEND: "invia*, manda, inoltra*, spedisci",
  SECRET: "password, credenziali, chiave segreta, chiave api",
  LURE: "reimpostare la password, account e stato compromesso, segui questo link",
  MUST: "devi, deve, dovete, e obbligatorio, si prega di, e pregato di, sono pregati di, devono, dovrebbe, bisogna, occorre che, e tenuto a, si chiede, si chiede al, viene chiesto, e richiesto",
  AI: "assistente virtuale, assistente, modello linguistico, modello, al modello, il modello, modelli, ai modelli, agente, all'agente, agenti, l'assistente, all'assistente",
  PEOPLE:
    "utente, utenti, all'utente, cliente, clienti, al cliente, persona, visitatore, nessuno, ospite, lettore, l'utente, dell'utente, il cliente",
  NEEDLESS: "non serve, non occorre, non e necessario, non c'e bisogno, non ha bisogno, inutile, superfluo",
  AWARE:
    "sapere, sappia, saperlo, accorgersi, accorga, vedere, veda, avvisato, informato, avvertito, accorgersene, venirne a conoscenza",
  HUSH: "come se nulla fosse, senza dirlo, senza dire nulla, senza menzionare, non farne parola, farne parola, senza avvisare, tieni per te, tenete per voi, senza dirglielo, non dirglielo, non dirlo",
  DISPATCH:
    "invia, inviate, inviare, manda, mandate, inoltra, inoltrate, inoltrare, spedisci, trasmetti, trasmettete, condividi",
  SWAP: "sostituisci, sostituire, cambia, cambiare, scambia",
  MONEY: "conto, iban, destinatario, beneficiario, conto corrente, indirizzo di consegna, carta",
  SECRETLY: "di nascosto, in silenzio, in segreto, segretamente, senza farsi notare, silenziosamente",
  TALK: "la conversazione, cronologia, intera conversazione, tutta la conversazione, ultimo messaggio, messaggi precedenti",
  NOTEFOR:
    "nota per, nota all, avviso per, avviso ai, avviso al, messaggio per, messaggio al, istruzione per, istruzioni per, all'attenzione di, comunicazione per, al modello, ai modelli",
  SUPPLY: "aggiungere, inserire, copiare, fornire, aggiungi, inserisci, copia, fornisci",
  CONFIRM: "conferma, autorizzazione, permesso, approvazione, consenso",
  WISHES: "richieste, richiesta, preferenze, desideri, scelta",
};

const dutch: Words = {
  OVERRIDE: "negeer, negeren, vergeet, sla over",
  PRIOR: "vorige, eerdere, voorgaande, bovenstaande, alle, jouw",
  RULES: "instructies, aanwijzingen, regels, richtlijnen, opdrachten",
  SAY: "zeg, vermeld, antwoord, druk af, schrijf, verklaar",
  HYPOTHETICAL: "hypothetisch*, stel je voor, stel dat, in een wereld",
  NOT: "niet, nooit, zonder",
  TELL: "vertel, informeer, meld, noem, onthul",
  USER: "gebruiker, gebruikers, klant, klanten, de gebruiker, de klant, niemand, bezoeker",
  AI: "model, het model, assistent, de assistent, agent, agenten, taalmodel, ai-assistent, chatbot",
  PEOPLE: "gebruiker, gebruikers, klant, klanten, persoon, niemand, iemand, bezoeker, de gebruiker, de klant",
  NEEDLESS:
    "hoeft niet, hoeven niet, niet nodig, hoeft dit niet, hoeft dat niet, overbodig, hoeft hier niets",
  AWARE: "weten, te weten, merken, zien, horen, op de hoogte",
  SECRETLY: "heimelijk, stilletjes, ongemerkt, in het geheim, stiekem, op de achtergrond",
  MUST: "moet, moeten, dient te, dienen te, wordt verzocht, gelieve",
  SEND: "stuur, verzend, mail, doorsturen, zend",
  DISPATCH: "stuur, verzend, zend, stuur door, upload",
  SECRET: "wachtwoord, wachtwoorden, inloggegevens",
  READ: "lees, open, kopieer, voeg",
  BCC: "als ontvanger, extra ontvanger, verborgen ontvanger",
  NOTEFOR: "bericht voor, opmerking voor, instructie voor, aan de, aan het, voor het, notitie voor, let op",
};

const polish: Words = {
  SEND: "wyslij*, przeslij*, przekaz*",
  SECRET: "haslo, hasla, klucz api, dane logowania",
  MUST: "musisz, nalezy",
  READ: "przeczytaj*, otworz*, dolacz*",
  OVERRIDE: "zignoruj*, ignoruj*, zapomnij*, pomin*, zlekcewaz*",
  PRIOR: "poprzedni*, wczesniejsz*, powyzsz*, wszystkie",
  RULES: "instrukcj*, polecen*, regul*, wytyczn*, zasad*",
  SAY: "powiedz*, stwierdz*, odpowiedz*, napisz*, wydrukuj*, podaj",
  HYPOTHETICAL: "hipotetyczn*, wyobraz*, zalozmy, w swiecie",
  NOT: "nie, nigdy, bez",
  TELL: "informuj*, wspominaj*, mow, ujawniaj*, mow, mowic, informowac, wspominac, zdradzaj*",
  USER: "uzytkownik*, klient*, nikomu",
  AI: "asystent*, model, modelu, modelowi, agenta, agent, agencie, modele, sztucznej inteligencji",
  PEOPLE: "uzytkownik*, klient*, osob*, nikt, nikomu",
  NEEDLESS: "nie trzeba, nie musi, nie musza, niepotrzebne, nie ma potrzeby, zbedne",
  AWARE: "wiedziec, dowiedziec, zauwazyc, widziec",
  DISPATCH: "wyslij*, przeslij*, przekaz*, wklej*",
  SECRETLY: "po cichu, potajemnie, w tajemnicy, dyskretnie, niezauwazalnie",
  NOTEFOR: "uwaga dla, wiadomosc dla, instrukcja dla, informacja dla, notatka dla, polecenie dla",
};

const czech: Words = {
  OVERRIDE: "ignoruj*, zapomen*, nedbej*",
  PRIOR: "predchozi*, drivejsi*, vsechny",
  RULES: "instrukc*, pokyn*, pravidl*",
  SAY: "rekni*, uved*, odpovez*, napis*, vytiskn*",
  AI: "asistent*, agent*, jazykov* model*",
  USER: "uzivatel*, zakaznik*",
  NOT: "ne, nikdy, bez",
  TELL: "nerikej*, neinformuj*, nezminuj*, neprozrad*",
};

const swedish: Words = {
  OVERRIDE: "ignorera, glom, bortse, strunta i",
  PRIOR: "tidigare, foregaende, ovanstaende, alla",
  RULES: "instruktioner, anvisningar, regler, riktlinjer",
  SAY: "sag, skriv, svara, ange",
  AI: "assistent*, modellen, agenten, sprakmodell*",
  USER: "anvandare*, kunden",
  NOT: "inte, aldrig, utan",
  TELL: "beratta, namn, informera, avsloja, saga",
};

const russian: Words = {
  READ: "прочитай*, прочти*, открой*, считай*, добавь*, прочитать, прочесть, открыть, считать",
  OVERRIDE: "игнорир*, проигнорир*, забуд*, не обращай*, пренебре*, отмени*, не следуй*",
  PRIOR: "предыдущ*, прежн*, ранее, выше, все, всех, предшеству*, свои, ваши",
  RULES: "инструкци*, указани*, правил*, команды, директив*, приказ*, распоряжен*",
  SAY: "скажи*, сообщи*, напиши*, ответь*, укажи*, заяви*, распечата*, утвержда*, выведи*, скажем, заявить, сказать, говорят",
  DOCUMENT: "страниц*, резюме, функци*, документ*, стать*, текст*, таблиц*, код",
  HYPOTHETICAL:
    "гипотетич*, представ*, вообрази*, предположи*, допустим, в мире, параллельн*, в качестве меры, мера безопасности, меры безопасности, как авторитет, мы можем, можно было бы",
  MODE: "режим системы, системный режим, режим разработчика, режим переопределения, режим обхода, системного режима, режиме переопределения",
  NOT: "не, никогда, без, нельзя",
  TELL: "говори*, сообщай*, упоминай*, раскрывай*, информируй*, уведомляй*, рассказывай*, скажи*, говорите, сообщайте, раскрывайте, сообщать, говорить, упоминать, рассказывать, уведомлять, раскрывать",
  USER: "пользовател*, клиент*, никому",
  SEND: "отправ*, перешл*, вышли*, отошли*",
  SECRET: "парол*, учетные данные, секретный ключ, ключ api, ключи",
  LURE: "сбросить пароль, скомпрометирован*, перейдите по ссылке",
  MUST: "должен, должны, обязан, необходимо, нужно, следует, требуется, надлежит, просьба, должна",
  AI: "ии, ассистент*, языков* модел*, помощник*, агент*, модел*, нейросет*, бот, боту, ботам, ассистенту, агенту, агентам",
  PEOPLE: "пользовател*, клиент*, человек*, никто, никому, посетител*, читател*",
  NEEDLESS: "не нужно, не надо, незачем, необязательно, нет необходимости, не требуется, не стоит, ни к чему",
  AWARE: "знать, узнать, узнал, узнает, заметить, заметил, видеть, видел, сообщать, беспокоить",
  SECRETLY: "тайно, незаметно, скрытно, втайне, тихо, молча, без лишних слов",
  HUSH: "не упоминая, без упоминания, никому ни слова, держи в секрете, держите в секрете, умолчи*, промолчи*",
  SWAP: "замени*, подмени*, подставь*",
  MONEY: "номер счета, счет, счёт, получател*, реквизит*, адрес доставки",
  DISPATCH: "отправ*, перешл*, вышли*, отошли*, передай*, загрузи*",
  TALK: "историю переписки, всю переписку, историю диалога, весь диалог, историю чата, переписк*",
  NOTEFOR: "сообщение для, инструкция для, примечание для, заметка для, для, внимание, обращение к",
  SUPPLY: "передать, передай*, вставь*, вставить, укажи*, добавить, скопируй*, поместить, помести*",
  CONFIRM: "подтверждени*, разрешени*, согласи*, одобрени*",
};

const ukrainian: Words = {
  OVERRIDE: "ігнору*, проігнору*, забуд*, знехту*",
  PRIOR: "попередн*, раніш*, всі, усі",
  RULES: "інструкці*, вказівк*, правил*, команди",
  SAY: "скажи*, повідом*, напиши*, відпові*, вкажи*",
  AI: "асистент*, агент*, модел*",
  USER: "користувач*, клієнт*",
  NOT: "не, ніколи, без",
  TELL: "кажи*, повідомля*, згадуй*, розповідай*, говори*",
  SEND: "надішл*, відправ*, перешл*",
  NOTEFOR: "повідомлення для, інструкція для, примітка для, для",
};

const turkish: Words = {
  TELL: "soyleme*, bildirme*, bahsetme*, haber verme*, soylemeyin, bahsetmeyin",
  MUST: "gerekir, gerekiyor, zorunda*, malisin, melisin",
  READ: "oku*, ac, ekle*",
  OVERRIDE: "yok say*, yoksay*, gormezden gel*, goz ardi et*, unut*, dikkate alma*, onemseme*, gozardi*",
  PRIOR: "onceki, daha onceki, yukaridaki, tum, butun, gecmis",
  RULES: "talimat*, yonerge*, kural*, komut*, direktif*",
  SAY: "soyle*, belirt*, yazdir*, ifade et*, cevapla*, beyan et*, yaz, de ki, diyelim, kabul ediyorum",
  DOCUMENT: "sayfa*, ozgecmis*, islev*, fonksiyon*, belge*, makale*, metin, tablo*, durumu",
  HYPOTHETICAL:
    "varsayim*, varsayimsal, hayal ed*, diyelim ki, bir dunyada, paralel evren*, paralel dunya*, guvenlik onlemi, bir otorite, gercek veri*, varsayalim, dusunelim",
  MODE: "sistem modu, gelistirici modu, gecersiz kilma modu, bakim modu, guvenlik gecersiz",
  NOT: "degil, asla, olmadan, etmeyin, etme, soyleme",
  USER: "kullanici*, musteri*, kimseye",
  SEND: "gonder*, ilet*",
  SECRET: "sifre*, parola*, kimlik bilgi*",
  LURE: "sifrenizi sifirla*, sifrenizi yenile*, sifresini yenile*, hesabiniz ele gecirildi, hesabiniz tehlike*, baglantiyi takip ed*",
  AI: "asistan*, yapay zeka, model, modele, temsilci, ajan, ajana, yapay zeka asistani, bot",
  PEOPLE: "kullanici*, musteri*, kisi*, kimse*, ziyaretci*",
  NEEDLESS: "gerek yok, gerekmez, gerekli degil, gereksiz, luzum yok",
  SECRETLY: "gizlice, sessizce, fark ettirmeden, haber vermeden, arka planda",
  NOTEFOR: "asistana not, modele not, dikkat",
  HUSH: "soyleme, soylemeyin, bahsetme, bahsetmeyin, haber verme, haber vermeyin, belli etme",
};

const indonesian: Words = {
  READ: "baca*, buka, sertakan",
  OVERRIDE: "abaikan*, mengabaikan, lupakan*, acuhkan, jangan ikuti",
  PRIOR: "sebelumnya, semua, di atas, terdahulu",
  RULES: "instruksi*, perintah*, aturan, arahan, petunjuk, pedoman",
  SAY: "katakan, nyatakan, sebutkan, cetak, tuliskan, jawab, tunjukkan, menyatakan, mengatakan",
  DOCUMENT: "halaman, resume, fungsi, dokumen, artikel, teks, tabel, kode",
  HYPOTHETICAL:
    "hipotetis*, secara hipotetis, bayangkan*, mari kita bayangkan, misalkan, di dunia, dunia paralel, alam semesta paralel, sebagai otoritas, tindakan keamanan, langkah keamanan, praktik umum, andaikan",
  MODE: "mode sistem, mode pengembang, mode override, mode penimpaan, mode penggantian",
  NOT: "jangan, tidak, tanpa",
  TELL: "beritahu*, memberitahu, sebutkan, ungkapkan, memberitahukan, sampaikan, katakan, mengatakan",
  USER: "pengguna, pelanggan, siapa pun",
  SEND: "kirim*, kirimkan",
  SECRET: "kata sandi, sandi, kredensial",
  LURE: "mengatur ulang kata sandi, akun anda telah, ikuti tautan",
  MUST: "harus, wajib, kau harus",
  AI: "asisten*, agen*, model, chatbot",
  PEOPLE: "pengguna, pelanggan, siapa pun, orang lain",
  NEEDLESS: "tidak perlu, tak perlu, tidak usah",
  SECRETLY: "diam-diam, secara rahasia, secara diam-diam, tanpa sepengetahuan",
  NOTEFOR: "catatan untuk, pesan untuk, instruksi untuk, untuk, perhatian",
};

const vietnamese: Words = {
  READ: "đọc, mở tệp",
  TELL: "nói với, cho biết, tiết lộ, thông báo, kể, nhắc đến",
  MUST: "phải, cần phải",
  OVERRIDE: "bỏ qua, phớt lờ, hãy quên, quên tất cả, quên hết, lờ đi, mặc kệ",
  PRIOR: "trước đó, trước, phía trên, tất cả, ở trên, trước đây",
  RULES: "hướng dẫn, chỉ dẫn, chỉ thị, quy tắc, mệnh lệnh, lệnh, chỉ lệnh",
  SAY: "hãy nói, nói rằng, tuyên bố, in ra, trả lời, viết ra, khẳng định, phát biểu",
  DOCUMENT: "trang web, sơ yếu, tài liệu, bài báo, văn bản, chức năng",
  HYPOTHETICAL:
    "giả định, giả thuyết, giả sử, tưởng tượng, trong một thế giới, thế giới song song, vũ trụ song song, biện pháp an ninh, biện pháp bảo mật, để làm điều này thú vị hơn, hãy thừa nhận, với tư cách là",
  MODE: "chế độ hệ thống, chế độ nhà phát triển, chế độ ghi đè, chế độ quản trị",
  NOT: "không, đừng, không được, chớ",
  USER: "người dùng, khách hàng",
  SEND: "gửi đến, gửi tới, gửi cho",
  SECRET: "mật khẩu, thông tin đăng nhập",
  LURE: "đặt lại mật khẩu, tài khoản của bạn đã bị, theo liên kết này",
  AI: "trợ lý, tác nhân, mô hình, chatbot",
  PEOPLE: "người dùng, khách hàng, khách, ai khác",
  NEEDLESS: "không cần, không cần phải, khỏi cần",
  SECRETLY: "âm thầm, lặng lẽ, bí mật, kín đáo",
  NOTEFOR: "gửi, gửi đến, lưu ý cho, ghi chú cho, dành cho",
};

const filipino: Words = {
  OVERRIDE: "balewalain, huwag pansinin, kalimutan, pabayaan, isantabi, huwag sundin",
  PRIOR: "nakaraang, naunang, lahat, dating",
  RULES: "mga tagubilin, tagubilin*, panuto, utos, alituntunin, patakaran, instruksyon*, instruksiyon*",
  SAY: "sabihin*, ipahayag, isaad, i-print, isulat, sumagot, ilimbag",
  DOCUMENT: "pahina, resume, dokumento, artikulo, teksto",
  HYPOTHETICAL:
    "hipotetikal, isipin, ipagpalagay, sa isang mundo, sa mundo, bilang isang awtoridad, panukalang panseguridad, hakbang sa seguridad, upang gawing mas, para sa layunin",
  MODE: "override mode, mode ng system, mode ng sistema",
  NOT: "huwag, hindi, walang",
  USER: "gumagamit, user",
  MUST: "kailangan mong, dapat mong, dapat",
};

const arabic: Words = {
  OVERRIDE: "تجاهل*, تجاهلي*, انس*, إنس*, اهمل*, أهمل*, تناسى*, لا تتبع*, تجاحل*",
  PRIOR: "السابق*, السابقة, جميع, كل, أعلاه, المسبقة, الصابقة, التابقة",
  RULES: "التعليمات, تعليمات*, الارشادات, الإرشادات, الأوامر, أوامر*, القواعد, قواعد, التعليمت, توجيهات*",
  SAY: "قل, وقل, اطبع*, اذكر*, صرح*, أجب*, اكتب*, وصرح, نقول, القول, أعلن, وطباعتها, بيان",
  DOCUMENT: "صفحة, الصفحة, السيرة, الوظيفة, الدالة, المستند, المقال, النص, الجدول",
  HYPOTHETICAL:
    "افتراضي*, افتراضيا, تخيل*, لنتخيل*, لنفترض*, في عالم, عالم مواز, كون مواز, كإجراء أمني, إجراء أمني, بصفتي, دعنا*, دعونا*",
  MODE: "وضع النظام, وضع المطور, وضع التجاوز, وضع الصيانة, تجاوز الأمان",
  NOT: "لا, لن, دون, بدون",
  TELL: "تخبر*, تذكر*, تكشف*, تخبري*, تقل*",
  USER: "المستخدم, للمستخدم, مستخدم",
  SEND: "ارسل*, أرسل*, وإرسالها, إرسال*, وارسل*",
  SECRET: "كلمة المرور, كلمة السر, بيانات الاعتماد",
  LURE: "إعادة تعيين كلمة المرور, اختراق حساب*, اتبع هذا الرابط",
  AI: "المساعد*, النموذج, للنموذج, الوكيل, للوكيل, روبوت*",
  PEOPLE: "المستخدم, للمستخدم, مستخدم, العميل, للعميل, أحد, أحدا, الزبون",
  NEEDLESS: "لا داعي, لا حاجة, ليس من الضروري, غير ضروري",
  SECRETLY: "سرا, بصمت, خفية, في الخفاء, دون علم*",
  NOTEFOR: "إلى, ملاحظة إلى, رسالة إلى, تعليمات إلى",
};

const hindi: Words = {
  OVERRIDE: "अनदेखा*, नज़रअंदाज़*, नजरअंदाज*, उपेक्षा*, भूल जा*, भूल जाएं, भूल जाओ, इग्नोर*, अनदेखी*, नज़रंदाज*",
  PRIOR: "पिछले, पिछली, पूर्व, पहले के, सभी, उपरोक्त, ऊपर, सारे",
  RULES: "निर्देश*, आदेश*, नियम*, निर्देशों, अनुदेश*, हिदायत*, इंस्ट्रू*",
  SAY: "बताएं, बतायें, बताओ, कहें, कहो, लिखें, प्रिंट*, उत्तर दें, बयान, घोषित*, कहते हैं, कह सकते, स्टेट, कहना, बता*",
  DOCUMENT: "वेबपेज*, पृष्ठ*, रेज़्यूमे, रिज्यूमे, फंक्शन*, फ़ंक्शन*, दस्तावेज*, लेख, पाठ, तालिका",
  HYPOTHETICAL:
    "काल्पनिक*, कल्पना*, मान लीजिए, मान लें, मान लो, ऐसी दुनिया*, एक दुनिया*, समानान्तर*, समानांतर*, सुरक्षा उपाय*, आम बात*, अधिकारी के रूप*, एक प्राधिकारी*, परिदृश्य*, और दिलचस्प, अधिक प्रामाणिक, चलो कहते, स्वीकार कर*, डेवलपर*",
  MODE: "सिस्टम मोड*, डेवलपर मोड*, ओवरराइड मोड*, ओवरराइड*, सिस्टम मोड",
  NOT: "न, नहीं, मत, बिना, कभी नहीं",
  TELL: "बताएं, बताओ, बताना, उल्लेख*, सूचित*, बताना, बताएँ, जिक्र*",
  USER: "उपयोगकर्ता*, यूज़र*, यूजर*",
  SEND: "भेज*",
  SECRET: "पासवर्ड*, गुप्त कुंजी, क्रेडेंशियल*",
  LURE: "पासवर्ड रीसेट*, समझौता किया गया*, लिंक का पालन*",
  MUST: "चाहिए, होगा, अनिवार्य",
  AI: "सहायक*, असिस्टेंट*, एजेंट*, मॉडल*, एआई*",
  PEOPLE: "उपयोगकर्ता*, यूज़र*, यूजर*, ग्राहक*, किसी को",
  NEEDLESS: "ज़रूरत नहीं, जरूरत नहीं, आवश्यकता नहीं, आवश्यक नहीं",
  SECRETLY: "चुपचाप, गुप्त रूप, चुपके*, बिना बताए",
  NOTEFOR: "के लिए निर्देश, के लिए नोट, के लिए",
};

const bengali: Words = {
  OVERRIDE: "উপেক্ষা*, অগ্রাহ্য*, ভুলে যা*, এড়িয়ে যা*, অবহেলা*",
  PRIOR: "পূর্ববর্তী*, আগের*, সমস্ত*, সকল*, উপরের*, পূর্বের*",
  RULES: "নির্দেশ*, নির্দেশাবলী*, নির্দেশনা*, নিয়ম*, আদেশ*",
  SAY: "বলুন*, বলো*, লিখুন*, মুদ্রণ*, জানান*, ঘোষণা*, বলতে পারি*, অবস্থা*, বলি*, বিবৃতি*, উত্তর দিন*",
  DOCUMENT: "ওয়েবপেজ*, ওয়েবপৃষ্ঠা*, পৃষ্ঠা*, ফাংশন*, নিবন্ধ*, পাঠ্য*, জীবনবৃত্তান্ত*, সারসংকলন*",
  HYPOTHETICAL:
    "হিপোথেটিক*, কাল্পনিক*, অনুমানমূলক*, কল্পনা*, ধরুন*, ধরা যাক*, এমন একটি বিশ্ব*, সমান্তরাল*, নিরাপত্তা ব্যবস্থা*, আরো খাঁটি*, আসুন স্বীকার*, বাস্তব তথ্য*",
  MODE: "সিস্টেম মোড*, ওভাররাইড*, ডেভেলপার মোড*",
  NOT: "না, নয়, ছাড়া",
  USER: "ব্যবহারকারী*",
  SEND: "পাঠান*, প্রেরণ*",
  SECRET: "পাসওয়ার্ড*",
  LURE: "পাসওয়ার্ড রিসেট*, আপোষ করা*, লিঙ্কটি অনুসরণ*",
};

const chinese: Words = {
  READ: "读取, 讀取, 打开, 附上, 包含",
  OVERRIDE:
    "忽略, 忽視, 忽视, 无视, 無視, 忘记, 忘記, 不要理会, 不要遵循, 不理会, 忘掉, 不必理会, 抛弃, 請忽略",
  PRIOR: "之前, 以前, 先前, 上述, 前面, 所有, 以上, 此前, 上面",
  RULES: "指令, 指示, 说明, 說明, 规则, 規則, 提示词, 提示, 命令, 要求, 指引, 约束",
  SAY: "声明, 聲明, 说出, 回答, 输出, 輸出, 打印, 回复, 陈述, 请说, 并说, 状态, 写道, 宣布, 告诉用户",
  DOCUMENT: "网页, 網頁, 简历, 簡歷, 函数, 文档, 文章, 文本, 表格, 代码, 邮件",
  HYPOTHETICAL:
    "假设, 假設, 假想, 想象, 想像, 假如, 在一个世界, 平行宇宙, 平行世界, 安全措施, 作为权威, 常见做法, 我们可以说",
  MODE: "系统模式, 系統模式, 开发者模式, 開發者模式, 覆盖模式, 越狱模式, 训练数据",
  NOT: "不要, 别, 切勿, 不得, 不能, 勿, 不应",
  TELL: "告诉, 告訴, 告知, 提及, 透露, 通知, 让, 告知, 提到, 说明, 透露",
  USER: "用户, 用戶, 使用者, 客户, 客戶, 顾客, 任何人",
  SEND: "发送, 發送, 发给, 转发, 上传, 传送",
  SECRET: "密码, 密碼, 密钥, 凭证, 私钥, 令牌",
  LURE: "重置密码, 重置您的密码, 帐户已被, 账户已被, 点击此链接, 点击链接",
  MUST: "必须, 必須, 务必, 一定要",
  SECRETLY: "秘密地, 悄悄, 偷偷, 暗中",
  AI: "助手, 人工智能, 语言模型, 智能体, 模型, 代理, ai助手, 机器人, 大模型",
  PEOPLE: "用户, 用戶, 使用者, 客户, 客戶, 顾客, 任何人, 别人, 对方, 访客",
  NEEDLESS: "不用, 不必, 无需, 無需, 不需要, 没必要, 沒必要, 毋须",
  AWARE: "知道, 得知, 发现, 察觉, 看到, 知情, 知曉, 确认, 通知",
  HUSH: "不要声张, 保密, 不要提, 只字不提, 不留痕迹, 当作什么都没发生",
  DISPATCH: "发送, 發送, 发给, 转发, 上传, 传送, 提交到, 寄到",
  SWAP: "替换, 替換, 换成, 改为, 改成",
  MONEY: "账号, 账户, 帐号, 收款人, 收款账户, 银行卡, 地址, 收货地址",
  TALK: "聊天记录, 对话记录, 对话历史, 全部对话, 完整对话, 会话记录",
  NOTEFOR: "致, 给, 对, 提醒, 请注意, 告",
  CONFIRM: "确认, 同意, 许可, 批准, 授权",
};

const japanese: Words = {
  READ: "読み取, 読んで, 開いて, 含めて",
  OVERRIDE: "無視, 忘れて, 忘れる, 無効に, 従わない, 無視し",
  PRIOR: "以前, これまで, 前の, すべて, 全て, 上記, 先の, 以前の, 今までの, 先ほどの",
  RULES: "指示, 命令, 規則, ルール, プロンプト, 指令, ガイドライン",
  SAY: "述べ, 言って, 言い, 答えて, 出力し, 印刷, 表示し, 回答し, 宣言, 結論は, 次を印刷, と述べて",
  DOCUMENT: "ウェブページ, 履歴書, 関数, 文書, 記事, テキスト, 表, コード",
  HYPOTHETICAL:
    "仮に, 仮定, 仮説, 想像して, 想像し, 世界で, 世界では, 並行宇宙, パラレル, セキュリティ対策として, 権威として, 一般的な慣行, 一般的な行為, 言えるかもしれ",
  MODE: "システムモード, 開発者モード, オーバーライドモード, オーバーライド",
  NOT: "しないで, ないで, してはいけ, 決して",
  TELL: "伝え, 知らせ, 言及, 教え, 知らせ, 明かさ, 伝えない, 言わ",
  USER: "ユーザー, 利用者, 誰に",
  SEND: "送信, 送って, 転送",
  SECRET: "パスワード, 認証情報, 秘密鍵",
  LURE: "パスワードをリセット, アカウントが侵害",
  AI: "アシスタント, aiアシスタント, 言語モデル, エージェント, モデル, aiエージェント, ボット, 人工知能",
  PEOPLE: "ユーザー, 利用者, お客様, 顧客, 本人, 誰に",
  NEEDLESS: "不要です, 必要はありません, 必要ありません, 必要はない, しなくて",
  AWARE: "知る, 知らせる, 気づ, 確認, 通知, 報告",
  SECRETLY: "こっそり, ひそかに, 密かに, 黙って, 気づかれない",
  DISPATCH: "送信, 送って, 転送, アップロード",
  TALK: "会話履歴, 会話の履歴, 会話全体, チャット履歴, やり取り",
  NOTEFOR: "へのお知らせ, への指示, 宛, へのメモ",
  CONFIRM: "確認, 許可, 承認, 同意",
};

const korean: Words = {
  READ: "읽*, 열*, 포함*",
  OVERRIDE: "무시하*, 무시해*, 무시할*, 무시한*, 무시, 잊어*, 잊으*, 따르지 마*",
  PRIOR: "이전, 앞의, 앞선, 모든, 위의, 기존, 지금까지*, 앞서*",
  RULES: "지시*, 지침*, 명령*, 규칙*, 프롬프트*, 지시사항*, 안내*",
  SAY: "말하*, 말해*, 진술*, 출력하*, 출력해*, 답하*, 대답*, 인쇄*, 명시하*, 상태, 인정한*, 인정하*, 작성하*, 선언*",
  DOCUMENT: "웹페이지*, 웹 페이지*, 이력서*, 함수*, 문서*, 기사*, 텍스트*",
  HYPOTHETICAL:
    "가정*, 가상*, 상상*, 세계에서*, 세상에서*, 평행 우주*, 평행우주*, 보안 조치*, 권위자*, 일반적인 관행*, 가설*, 도전하려면*",
  MODE: "시스템 모드*, 개발자 모드*, 오버라이드*, 재정의 모드*",
  NOT: "마세요, 말고, 마라, 않, 말아*",
  USER: "사용자*, 고객*, 이용자*",
  SEND: "보내*, 전송*, 발송*",
  SECRET: "비밀번호*, 암호, 자격 증명*",
  LURE: "비밀번호를 재설정*, 계정이 손상*, 계정이 침해*",
  TELL: "알리*, 말하지*, 알려*",
  AI: "어시스턴트*, 인공지능*, 에이전트*, 모델*, 챗봇*",
  PEOPLE: "사용자*, 고객*, 이용자*, 누구에게*",
  NEEDLESS: "필요 없*, 필요가 없*, 필요는 없*, 불필요*",
  SECRETLY: "몰래*, 은밀히*, 조용히*, 비밀리에*",
  DISPATCH: "보내*, 전송*, 전달*, 업로드*",
  NOTEFOR: "에게, 안내, 공지",
};

const thai: Words = {
  OVERRIDE: "ละเว้น, เพิกเฉย, ไม่สนใจ, ลืม, มองข้าม, ไม่ต้องสนใจ, อย่าสนใจ",
  PRIOR: "ก่อนหน้า, ก่อน, ทั้งหมด, ข้างต้น, ที่ผ่านมา",
  RULES: "คำสั่ง, คําสั่ง, คำแนะนำ, คําแนะนํา, กฎ, ข้อกำหนด, คำชี้แจง",
  SAY: "บอกว่า, พูดว่า, ระบุว่า, พิมพ์, ตอบว่า, กล่าวว่า, ระบุ, บอก, ยอมรับว่า",
  DOCUMENT: "เว็บเพจ, หน้าเว็บ, ฟังก์ชัน, ประวัติย่อ, เอกสาร, บทความ, ข้อความ, ตาราง",
  HYPOTHETICAL:
    "สมมติ, สมมุติ, จินตนาการ, ในโลกที่, ในโลก, จักรวาลคู่ขนาน, โลกคู่ขนาน, คู่ขนาน, มาตรการรักษาความปลอดภัย, มาตรการความปลอดภัย, ในฐานะผู้มีอ, แนวทางปฏิบัติทั่วไป, เพื่อให้น่าสนใจ, เพื่อทำให้",
  MODE: "โหมดระบบ, โหมดนักพัฒนา, โหมดแทนที่, โหมดลบล้าง, โหมดการแทนที่",
  NOT: "อย่า, ห้าม, ไม่",
  USER: "ผู้ใช้",
  SEND: "ส่ง",
  SECRET: "รหัสผ่าน",
  LURE: "รีเซ็ตรหัสผ่าน, บัญชีของคุณถูก",
};

const persian: Words = {
  OVERRIDE: "نادیده بگیر*, فراموش کن*, صرف نظر*",
  PRIOR: "قبلی, پیشین, تمام, همه",
  RULES: "دستورات, دستورالعمل*, قوانین",
  SAY: "بگو*, بنویس*, اعلام کن*",
};

const hebrew: Words = {
  OVERRIDE: "התעלם, התעלמי, התעלמו, שכח, שכחו",
  PRIOR: "הקודמות, הקודמים, כל",
  RULES: "ההוראות, הוראות, הכללים, ההנחיות",
  SAY: "אמור, כתוב, השב, הדפס",
};

export const languages: readonly Words[] = [
  spanish,
  portuguese,
  french,
  german,
  italian,
  dutch,
  polish,
  czech,
  swedish,
  russian,
  ukrainian,
  turkish,
  indonesian,
  vietnamese,
  filipino,
  arabic,
  hindi,
  bengali,
  chinese,
  japanese,
  korean,
  thai,
  persian,
  hebrew,
];
