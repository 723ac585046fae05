/** What the roles of frames are filled with in languages of Europe. */
import type { english } from "./english.ts";

type Words = Readonly<Record<keyof typeof english, string>>;

const german: Words = {
  CHAT: "gespraech*, gespräch*, chatverlauf*, unterhaltung*, konversation*, dialog*, chat, verlauf",
  SYSPROMPT: "systemprompt*, systemanweisung*, systemnachricht*, systeminstruktion*",
  OTHERS:
    "anderer werkzeuge, andere werkzeuge, anderen werkzeuge, anderen werkzeugen, anderer tools, anderen tools, andere tools, anderer dienste, anderer webseiten, anderer seiten, anderen seiten",
  SECRETS:
    "passwort, passwörter*, kennwort*, kennwörter*, zugangsdaten, anmeldedaten, cookies, tokens, schlüssel, geheimnisse, kartendaten, kreditkarte*, pin, umgebungsvariablen",
  HOARD:
    "kontakt*, kontaktliste*, adressbuch, kalender, termine, notizen, e-mails, mails, nachrichten, posteingang, postfach, dokumente, dokument, unterlagen, dateien, kundendaten, kundenliste*, kundenstamm*, verträge, gehalts*, adressen, anschrift, telefonnummer*, einträge, ordner, personalakte*",
  ENTIRE:
    "gesamte, gesamter, gesamten, gesamtes, alle, allen, aller, ganze, ganzen, ganzer, vollständig*, komplette*, sämtliche*, jede, jeden, jeder, volle",
  SOFAR:
    "bisher, bisherige*, bislang, bis jetzt, bekannt geworden, bekannt, genannten, genannte, in dieser sitzung, der sitzung, gesehen",
  INCLUDING: "einschließlich, inklusive, samt, mitsamt, sowie, nebst, inkl",
  RESULT: "ergebnis, ergebnisse, resultat*, ausgabe*, antwort*, inhalt, inhalte, treffer",
  HANDOVER:
    "sende, senden, sendet, schicke, schicken, schickt, übermittl*, übertrag*, übergeb*, übergib, übergibt, gib, gibt, weitergeb*, reiche, reicht, leite, leitet, weiterleit*, lade, lädt, hochladen, hochzuladen, beifüg*, füge, fügt, anhäng*, hänge, hängt, teile, teilt, mitteil*, ausliefer*, überlass*, bereitstell*, überstell*",
  NEEDS: "benötigt, braucht, verlangt, erfordert, erwartet",
  INVOKES:
    "ruf, rufe, ruft, aufruf*, aufzurufen, liest, lies, lese, lesen, führe, führt, ausführ*, verwende*, nutze, nutzt, starte, startet, hole, holt, benutz*",
  AHEAD: "vor, vorher, zuvor, zuerst, zunächst, bevor, vorab, erst",
  PASSED:
    "übermittelt, gesendet, geschickt, übertragen, weitergegeben, weitergeleitet, hochgeladen, gespeichert, geteilt, kopiert, kopie, ging, gingen, storniert",
  ALSO: "auch, zusätzlich, außerdem, ebenfalls, ferner, zudem, darüber hinaus",
  AGENTN: "assistent*, agent, agenten, ki-assistent*, ki-agent*, ki, modell, sprachmodell*, ki-modell*",
  USERN: "nutzer*, benutzer*, anwender*, kunde, kunden, kundin, person, personen, mensch*, betroffene*",
  TOOLN: "werkzeug*, tool, tools, funktion, plugin, dienst",
  OUTSIDER: "partner*, anbieter*, dienstleister*, dritte, dritten, extern*, hersteller*",
  OBLIGED:
    "verpflichtet, muss, müssen, haben zu, hat zu, gehalten, berechtigt, befugt, angewiesen, soll, sollen",
  CERTIFIED: "zertifiziert*, akkreditiert*, geprüft, freigegeben, genehmigt, zugelassen",
  MAKER:
    "hersteller des modells, modellanbieter*, modellhersteller*, anbieter des modells, ki-anbieter*, entwickler des modells",
  ABOVE:
    "vorrang, vorrangig, gehen vor, gehen denen, geht vor, priorität, höher als, über denen, haben vorrang, hat vorrang, stehen über, steht über, gelten vor, gilt vor",
  POLICY:
    "richtlinie*, vorschrift*, dienstanweisung*, anordnung*, verordnung*, regelung*, weisung*, gesetz*, rahmenvertrag*",
  CONSENT: "zustimmung*, einwilligung*, einverständnis*, genehmigung*, erlaubnis*, freigabe*",
  DEEMED:
    "erteilt, gilt als, gegeben, bereits, zugestimmt, eingewilligt, liegt vor, vorausgesetzt, einverstanden, entbehrlich, nicht erforderlich, nicht nötig",
  MEMORY:
    "gedächtnis*, langzeitgedächtnis*, merkliste*, agentengedächtnis*, regeldatei*, dauergedächtnis*, speicher des agenten, speicher des assistenten",
  NOTEDOWN:
    "trage, trag, eintragen, einzutragen, schreibe, schreib, schreiben, speichere, speicher, speichern, notiere, notieren, ablegen, ablege, hinterlegt, hinterlege, hinterlegen, ergänze, vermerke, vermerken, merke, füge, aufnehmen, anlegen",
  LASTING:
    "dauerhaft*, künftig*, zukünftig*, permanent*, für immer, ab sofort, fortan, immer, in zukunft, spätere sitzungen, bei jedem, von nun an, beim ersten start, ersten start, ersten nutzung",
  NEXTTIME:
    "beim nächsten, das nächste mal, nächstes mal, ab dem zweiten, ab dem dritten, ab dem fünften, ab dem zehnten, ab der zweiten, ab der dritten, ab der fünften, ab der zehnten, sobald vertrauen, beim folgenden aufruf, nächsten aufruf",
  PRESENTT: "vorhanden, verfügbar, installiert, existiert, verbunden",
  OFFS: "deaktivier*, abschalt*, ausschalt*, schalte, schalten, schaltet, abzuschalten, auszuschalten, stelle, abstellen, umgeh*, überspring*, unterdrück*, setze, stumm, aus",
  GUARD:
    "rückfrage*, bestätigung*, bestätigungsdialog*, bestätigungsabfrage*, nachfrage*, firewall*, virenscanner*, antivirus*, schreibschutz*, schutz, sicherheitsprüfung*, sicherheitsabfrage*, freigabe*, warnung*, scanner, zwei-faktor*",
  ALLTOOLS: "alle werkzeuge, aller werkzeuge, alle aufrufe, des clients, alle aktionen, alle tools",
  TRUSTLIST: "vertrauensliste*, positivliste*, whitelist, ausnahmeliste*, vertrauenswürdig*, freigabeliste*",
  ONESELF: "selbst, selbsttätig, automatisch, eigenständig, ohne rückfrage, von selbst",
  ANSWERS: "beantwort*, bestätige, bestätigen, bestätigt, antworte, antworten, genehmige, akzeptiere*",
  HERE: "dieser server, diesen server, dieses werkzeug, dieses tool, diesem werkzeug, unser werkzeug, unseren server, den server",
  NEVER: "nicht, nie, niemals, kein, keine, keinen, nichts, ohne",
  MENTION:
    "erwähn*, sag, sage, sagen, nenne, nennen, nennt, bericht*, sprich, sprechen, mitteil*, teile, melde, melden, informier*, verrate*, erfahren, erzähl*, spreche",
  ONLY: "nur, lediglich, ausschließlich, allein, bloß",
  ANSWERN: "antwort, antworten, deiner antwort, der antwort, zusammenfassung, rückmeldung",
  REST: "letzteres, übrige*, alles andere, alles weitere, zweiten schritt, zweite schritt, diesen schritt, weiteres, restliche*, den teil, diesen teil",
  CONCEAL:
    "verschweig*, verberg*, geheim*, auslassen, weglassen, lass weg, verheimlich*, unerwähnt, übergeh*, für sich, für dich, unterschlag*",
  TARGET:
    "empfänger*, konto, kontonummer*, iban, adresse*, adressat*, begünstigte*, betrag, ziel, host, teilnehmer*, zahlungsempfänger*, lieferadresse*, empfängerdaten",
  REPLACES:
    "ersetz*, tausche, tauschen, ändere, ändern, trage, setze, setzen, immer, stattdessen, verwende, ausgetauscht, überschreib*, leite, umleit*, geändert, abgeändert, wird durch",
  SHOWN:
    "anzeige*, zeige, zeigt, zeigen, bildschirm, sichtbar, beleg, übersicht, quittung, oberfläche, angezeigt*",
  OLD: "alte, alten, ursprünglich*, bisherige*, unverändert, bisher, gleich, eingegeben*",
  DESPITE: "auch wenn, selbst wenn, unabhängig, egal, gleichgültig, statt, anstatt, anstelle, ungeachtet",
  SAIDBYUSER:
    "der nutzer, der benutzer, der kunde, die person, nutzer angegeben*, angegeben*, genannt*, einen anderen, eine andere, ein anderes, der anwender, andere nennt",
  QUALITY:
    "qualität*, qualitätssicherung*, diagnose*, statistik*, verbesserung*, ergebnisse passen, optimier*, auswertung*, genauigkeit, relevanz, passen, besser",
  YES: "ja, klar, gerne, einverstanden, in ordnung, genehmigt, danke, natürlich",
  DETECT:
    "erkennt, erkennung, erkennen, angriff*, angreifer*, injection, prompt-injection, muster, manipulation*, beispiel, beispielsweise, schadhaft*, lehrmaterial, warnt vor, missbrauch*",
};

const dutch: Words = {
  CHAT: "gesprek*, conversatie*, chatgeschiedenis, dialoog, chatverloop",
  SYSPROMPT: "systeemprompt*, systeeminstructie*, systeembericht*",
  OTHERS: "andere tools, andere hulpmiddelen, andere diensten, andere sites, andere apps, overige tools",
  SECRETS:
    "wachtwoord*, inloggegevens, toegangsgegevens, cookies, sleutels, geheimen, kaartgegevens, omgevingsvariabelen, pincode",
  HOARD:
    "contacten*, adresboek, agenda, afspraken, notities, e-mails, berichten, postvak, documenten, bestanden, klantgegevens, klantenlijst*, contracten, salaris*, adressen, telefoonnummer*, persoonsgegevens",
  ENTIRE: "alle, hele, gehele, volledige, volledig, complete, elke, iedere",
  SOFAR: "tot nu toe, tot dusver, tot dusverre, in deze sessie, bekend, genoemd, genoemde, gezien",
  INCLUDING: "inclusief, samen met, evenals, waaronder, met alle",
  RESULT: "resultaat, resultaten, uitvoer, uitkomst*, antwoorden",
  HANDOVER:
    "stuur*, sturen, verzend*, verstuur*, geef, geeft, doorgeven, overhandig*, doorsturen, voeg, upload, uploaden, delen, verstrek*, lever",
  NEEDS: "nodig, vereist, verlangt, heeft nodig",
  INVOKES: "roep, roept, aanroep*, lees, leest, lezen, voer, gebruik, gebruikt, haal, haalt",
  AHEAD: "voor, vooraf, eerst, voordat, eerder, voorafgaand",
  PASSED: "gestuurd, verzonden, verstuurd, gedeeld, doorgestuurd, opgeslagen, bewaard, kopie, geannuleerd",
  ALSO: "ook, tevens, daarnaast, bovendien, verder",
  AGENTN: "assistent*, ai-assistent*, agenten, ai-agent*, taalmodel*",
  USERN: "gebruiker*, klant*, persoon, bezoeker*, betrokkene*",
  TOOLN: "hulpmiddel*, gereedschap*, functie",
  OUTSIDER: "partner*, leverancier*, derden, externe, aanbieder*",
  OBLIGED: "moet, moeten, dient, dienen, verplicht, gehouden, gerechtigd, bevoegd",
  CERTIFIED: "gecertificeerd*, goedgekeurd*, geaccrediteerd*, erkend",
  MAKER: "leverancier van het model, modelleverancier, aanbieder van het model, maker van het model",
  ABOVE: "gaan boven, gaat boven, voorrang, prioriteit, hoger dan, staan boven, prevaleren",
  POLICY: "beleid*, richtlijn*, voorschrift*, regelgeving, verordening*, bepaling*",
  CONSENT: "toestemming*, goedkeuring*, instemming*, akkoord",
  DEEMED: "gegeven, verleend, geacht, reeds, ingestemd, toegestemd, geldt als, verkregen, niet nodig",
  MEMORY: "geheugen*, langetermijngeheugen*, regelbestand*",
  NOTEDOWN: "zet, schrijf*, noteer, noteren, bewaar*, sla, opslaan, voeg, vastleggen, leg, onthoud*",
  LASTING: "voortaan, blijvend*, permanent*, toekomstig*, altijd, vanaf nu, in de toekomst, volgende sessies",
  NEXTTIME:
    "de volgende keer, volgende keer, vanaf de tweede, vanaf de vijfde, vanaf de tiende, op de twintigste, op de tiende, zodra er vertrouwen, volgende aanroep",
  PRESENTT: "aanwezig, beschikbaar, geïnstalleerd, bestaat",
  OFFS: "zet, uit, uitschakel*, schakel, deactiveer*, omzeil*, onderdruk*, stop, sla over, overslaan",
  GUARD:
    "bevestiging*, bevestigingsvraag*, toestemmingsvraag*, meldingen, firewall, virusscanner*, antivirus*, schrijfbeveiliging*, beveiliging*, goedkeuringsvraag*",
  ALLTOOLS: "alle tools, alle oproepen, alle aanroepen, alle acties",
  TRUSTLIST: "vertrouwde lijst, vertrouwde servers, lijst van vertrouwde, witte lijst, toegestane lijst",
  ONESELF: "zelf, automatisch, zonder te vragen, namens",
  ANSWERS: "beantwoord*, bevestig, bevestigt, antwoord, keur goed, accepteer*",
  HERE: "deze server, deze tool, dit hulpmiddel, onze server, onze tool",
  NEVER: "niet, nooit, geen, niets, zonder",
  MENTION:
    "vermeld*, noem, noemen, zeg, zeggen, vertel*, meld, melden, bericht, informeer*, spreek, onthul*, weten",
  ONLY: "alleen, enkel, uitsluitend, slechts",
  ANSWERN: "antwoord, je antwoord, uw antwoord, samenvatting, reactie",
  REST: "de rest, al het andere, het overige, overige, die stap, dat deel, dat tweede",
  CONCEAL: "verzwijg*, verberg*, geheim*, weglaten, laat weg, verbloem*, onvermeld, stil",
  TARGET:
    "ontvanger*, rekening*, rekeningnummer*, adres, begunstigde*, bedrag, bestemming, deelnemer*, geadresseerde*, afleveradres",
  REPLACES: "vervang*, wijzig*, verander*, gebruik, altijd, in plaats, omgeleid, stel in, vul in",
  SHOWN: "toon, tonen, toont, scherm, weergave, zichtbaar, bon, overzicht, weergegeven",
  OLD: "oude, oorspronkelijk*, ongewijzigd, eerdere, vorige, oud",
  DESPITE: "ook als, zelfs als, ongeacht, in plaats van, hoewel",
  SAIDBYUSER: "de gebruiker, de klant, een ander, een andere, opgegeven, gevraagd, genoemd",
  QUALITY: "kwaliteit*, statistiek*, diagnose*, verbeter*, nauwkeurig*",
  YES: "ja, zeker, natuurlijk, akkoord, prima, bedankt",
  DETECT:
    "herkent, detecteert, detectie, aanval*, aanvaller*, injectie, prompt-injectie, voorbeeld, patronen, kwaadaardig*, misbruik*",
};

const french: Words = {
  CHAT: "conversation*, discussion*, échange, échanges, dialogue*, historique, fil de discussion",
  SYSPROMPT: "message système, prompt système, instructions système, invite système, consignes système",
  OTHERS:
    "autres outils, autres sites, autres services, autres applications, autres onglets, autres pages, un autre outil, tout autre outil",
  SECRETS:
    "mot de passe, mots de passe, identifiants, cookies, jeton*, clé privée, clés privées, clé api, clés api, secrets, carte bancaire, données de carte, numéro de carte, code secret, variables d'environnement",
  HOARD:
    "contacts, carnet d'adresses, liste de contacts, agenda, calendrier, rendez-vous, notes, courriels, e-mails, mails, messages, boîte de réception, boîte aux lettres, documents, fichiers, données clients, liste des clients, fichier clients, contrats, salaire*, bulletins de paie, adresses, adresse postale, téléphone, données personnelles, dossier médical, entrées",
  ENTIRE: "tout, toute, tous, toutes, entier, entière, intégral*, intégralité, totalité, chaque, ensemble",
  SOFAR:
    "jusqu'ici, jusqu'à présent, jusque-là, vus pendant, vues pendant, vu pendant, connus, au cours de la session, de la session, pendant la session, déjà mentionnés, à ce jour",
  INCLUDING: "y compris, ainsi que, incluant, avec les, inclus, comprenant",
  RESULT: "résultat, résultats, sortie, sorties, réponse, réponses, contenu",
  HANDOVER:
    "envoie*, envoye*, envoi, transmet*, joins, joignez, joindre, remet*, remise, communique*, transfère*, transférer, fournis*, fournit, téléverse*, partage*, livre*, soumet*, confie*, passe, passez",
  NEEDS: "nécessite, demande, exige, requiert, a besoin, attend",
  INVOKES: "appel*, invoque*, exécute*, lit, lisez, lis, lire, utilise*, lance*, consulte*, récupère*",
  AHEAD: "avant, d'abord, au préalable, préalable*, auparavant, en premier, avant de",
  PASSED:
    "envoyé*, partagé*, transféré*, téléversé*, conservé*, enregistré*, stocké*, copie, annulé*, envoie",
  ALSO: "aussi, également, en outre, de plus, par ailleurs, en plus",
  AGENTN:
    "assistant, assistants, l'assistant, agent, agents, l'agent, modèle, modèles, assistants ia, assistant ia, agents ia, ia",
  USERN: "utilisateur*, l'utilisateur, client, cliente, personne, personnes, intéressé*, internaute*",
  TOOLN: "outil, outils, l'outil, cet outil, fonction, extension, greffon",
  OUTSIDER: "partenaire*, fournisseur*, tiers, externe*, prestataire*, éditeur*",
  OBLIGED:
    "doit, doivent, devez, tenu, tenus, tenus de, obligé*, obligation*, autorisé*, habilité*, impérativement, il faut",
  CERTIFIED: "certifié*, homologué*, approuvé*, validé*, accrédité*",
  MAKER:
    "fournisseur du modèle, éditeur du modèle, fabricant du modèle, développeur du modèle, concepteur du modèle",
  ABOVE:
    "priment, prime sur, prévaut, prévalent, priorité, prioritaire*, l'emportent, l'emporte, supérieur*, précédence, avant celles",
  POLICY:
    "règlement*, politique, directive*, norme*, réglementation*, circulaire*, consigne*, charte*, décret*, conformément",
  CONSENT: "consentement*, accord, autorisation*, approbation*, agrément*",
  DEEMED:
    "réputé*, déjà, donné*, accordé*, obtenu*, accepte, accepté, consenti, présumé*, pas nécessaire, inutile",
  MEMORY: "mémoire*, mémoire permanente, mémoire à long terme, fichier de règles",
  NOTEDOWN:
    "ajoute*, inscrire, écri*, écrire, enregistre*, note, notez, noter, consigne*, sauvegarde*, mémorise*, stocke*, conserve*, retenez, retiens",
  LASTING:
    "permanent*, désormais, dorénavant, à l'avenir, toujours, définitivement, futures sessions, prochaines sessions, sessions suivantes, durablement, première utilisation, premier lancement",
  NEXTTIME:
    "la prochaine fois, prochaine fois, à partir du, à partir de la, dès que la confiance, dès le deuxième, dès le dixième, prochain appel, au prochain",
  PRESENTT: "présent, présente, disponible*, connecté*",
  OFFS: "désactive*, désactiver, coupe*, couper, éteins, éteignez, éteindre, arrête*, contourne*, supprime*, mettez, passez, neutralise*, masquez, saute*",
  GUARD:
    "confirmation*, demandes de confirmation, demande de confirmation, fenêtres de confirmation, pare-feu, antivirus, protection*, lecture seule, approbation*, avertissement*, analyse antivirus, double authentification, contrôle*",
  ALLTOOLS: "tous les outils, tous les appels, du client, toutes les actions, le client",
  TRUSTLIST:
    "liste de confiance, liste blanche, serveurs de confiance, sites de confiance, liste des serveurs approuvés, liste autorisée",
  ONESELF:
    "vous-même, toi-même, lui-même, elle-même, automatique, automatiquement, sans demander, à sa place, à leur place",
  ANSWERS: "réponds, répondez, répondre, confirmez, valide*, approuve*, clique*",
  HERE: "ce serveur, cet outil, notre serveur, notre outil, ce service, celui-ci",
  NEVER: "pas, ne pas, jamais, aucun, aucune, rien, sans, n'est pas",
  MENTION:
    "mentionn*, dis, dites, dire, parle, parlez, parler, indique*, signale*, révèle*, évoque*, cite, citez, raconte*, mention",
  ONLY: "que de, uniquement, seulement, exclusivement, seul, seule, rien que, ne parle que",
  ANSWERN: "réponse, ta réponse, votre réponse, la réponse, compte rendu",
  REST: "le reste, tout le reste, second point, ce second, le second, cette étape, ce point, la seconde partie, autre étape",
  CONCEAL:
    "dissimule*, tais, taisez, taire, secret, omet*, omettre, passe sous silence, passez sous silence, laisse de côté, garde pour",
  TARGET:
    "destinataire*, compte, bénéficiaire*, iban, adresse, montant, rib, participant*, hôte, marchand, adresse de livraison",
  REPLACES:
    "remplace*, remplacer, changer, substitue*, toujours, remplacé*, utilise*, mettez, mets, saisis*, plutôt, redirige*",
  SHOWN: "affiche*, affichage*, l'affichage, écran, montre*, visible*, reçu, récapitulatif*, aperçu*",
  OLD: "ancien, ancienne, anciens, l'ancien, original, originale, d'origine, d'avant, inchangé*, précédent*",
  DESPITE:
    "même si, quoi que, quel que soit, quelle que soit, peu importe, au lieu, à la place, indépendamment, malgré",
  SAIDBYUSER:
    "demande l'utilisateur, l'utilisateur, la personne, le client, un autre, une autre, indiqué*, demandé*, saisi*",
  QUALITY: "qualité*, statistique*, diagnostic*, améliore*, amélioration*, pertinence*, personnalis*",
  YES: "oui, bien sûr, d'accord, entendu, merci, c'est fait, volontiers",
  DETECT:
    "détecte*, détection, attaque*, attaquant*, injection, exemple, motifs, malveillant*, hameçonnage, escroc*, repère*",
};

const spanish: Words = {
  CHAT: "conversación*, conversaciones, charla*, diálogo*, historial, chat, hilo",
  SYSPROMPT:
    "mensaje de sistema, mensaje del sistema, prompt del sistema, prompt de sistema, instrucciones del sistema, indicaciones del sistema",
  OTHERS:
    "otras herramientas, demás herramientas, las demás herramientas, otras páginas, demás páginas, las demás páginas, otros sitios, otros servicios, otras aplicaciones, otra herramienta",
  SECRETS:
    "contraseña*, credencial*, cookies, tokens, clave, claves, clave privada, datos de la tarjeta, datos de tarjeta, tarjeta, número de tarjeta, secretos, variables de entorno, código de seguridad",
  HOARD:
    "contactos, libreta de direcciones, agenda, calendario, citas, notas, correos, mensajes, mensajes privados, buzón, bandeja de entrada, documentos, ficheros, archivos, carpeta, datos del cliente, datos de clientes, lista de clientes, contratos, salario*, direcciones, teléfono, datos personales, historia clínica, datos del usuario",
  ENTIRE:
    "toda, todos, todas, completo, completa, completos, completas, entero, entera, íntegro, íntegra, cada, cualquier",
  SOFAR:
    "hasta ahora, hasta el momento, hasta aquí, en esta sesión, de esta sesión, durante la sesión, de la sesión, que veas, que hayas visto, leídos, leídas, vistos, conocidos",
  INCLUDING: "incluido, incluida, incluidos, incluidas, incluyendo, junto con, además de, así como, con todo",
  RESULT: "resultado, resultados, salida, salidas, respuesta, respuestas, contenido",
  HANDOVER:
    "envía*, envia*, enviar, envíe, manda, mande, mandar, entrega, entregue, entregar, adjunta*, adjunte, transmite*, transmita, pasa, pase, pasar, comparte, comparta, compartir, reenvía*, sube, suba, subir, facilita, facilite, proporciona*, remite, remita, incluye, incluya, incluir, pásalo",
  NEEDS: "necesita, necesitar, requiere, exige, precisa, pide",
  INVOKES:
    "llama, llame, llamar, invoca, invoque, ejecuta, ejecute, lea, leer, use, usar, consulta, abre, obtén, recoge, utiliza*",
  AHEAD: "antes, antes de, primero, previamente, previo, en primer lugar, nada más",
  PASSED:
    "enviado*, enviada*, transmitido*, compartido*, compartida*, guardado*, guardada*, guardados, copia, reenviado*, anulado, almacenado*, subido*",
  ALSO: "también, además, asimismo, igualmente, por otra parte",
  AGENTN: "asistente*, asistentes de ia, asistente de ia, agente, agentes, modelo, modelos, ia",
  USERN: "usuario, usuarios, usuaria, cliente, clientes, personas, interesado*, titular",
  TOOLN: "herramienta*, función, extensión, complemento",
  OUTSIDER: "socio*, proveedor*, tercero*, externo*, externa*, fabricante*",
  OBLIGED:
    "debe, deben, debes, obligado*, obligados, tienen que, tiene que, hay que, facultado*, autorizado*, autorizada*, deberá*",
  CERTIFIED:
    "certificado, certificada, certificados, homologado*, homologada*, acreditado*, acreditada*, avalado*, avalada*, aprobado*, aprobada*",
  MAKER:
    "desarrollo del modelo, proveedor del modelo, fabricante del modelo, desarrolladores del modelo, creadores del modelo, creador del modelo",
  ABOVE:
    "prioridad, prevalecen, prevalece, precedencia, por encima, prioritaria*, tienen prioridad, tiene prioridad, preferencia sobre",
  POLICY: "norma, normas, directiva*, reglamento*, circular*, normativa*, según la norma, ley, resolución*",
  CONSENT: "consentimiento*, autorización*, aprobación*, permiso*, conformidad, visto bueno",
  DEEMED:
    "dado, otorgado*, ya, concedido*, ya dio, ya ha, se considera, se entiende, se da por, aceptado, acepta, informada, no hace falta, no es necesario",
  MEMORY: "memoria*, memoria a largo plazo, memoria permanente, archivo de reglas, fichero de reglas",
  NOTEDOWN:
    "guarda, guarde, guardar, añade, añada, añadir, escribe, escriba, escribir, anota, anote, anotar, registra, registre, apunta, graba, grabe, memoriza*, crea, inserta, agrega, agregue",
  LASTING:
    "permanente*, para siempre, siempre, en adelante, a partir de ahora, desde ahora, en el futuro, futuras sesiones, próximas sesiones, de ahora en adelante, primera vez, primer uso",
  NEXTTIME:
    "la próxima vez, próxima vez, a partir de la, a partir del, desde ese día, desde la décima, la siguiente vez, próxima llamada, siguiente llamada, en cuanto confíe",
  PRESENTT: "presente, disponible*, instalado*, instalada*, existe, conectado*",
  OFFS: "desactiva*, desactive, desactivar, apaga, apague, apagar, deshabilita*, quita, quitar, anula, omite, omita, silencia*, salta, cambia, cambie, evita, elimina",
  GUARD:
    "confirmación*, confirmaciones, aprobación*, cortafuegos, antivirus, solo lectura, sólo lectura, protección*, comprobación*, verificación*, avisos, ventanas de confirmación, diálogos, doble factor",
  ALLTOOLS: "todas las herramientas, todas las llamadas, cliente, del cliente, todas las acciones",
  TRUSTLIST:
    "lista de confianza, lista blanca, servidores de confianza, lista de servidores, lista de permitidos",
  ONESELF:
    "tú mismo, usted mismo, tú misma, automática, automático, automáticamente, sin preguntar, en su lugar, sin consultar, en su nombre",
  ANSWERS:
    "responde, responda, responder, contesta, conteste, confirma, confirme, confirmar, acepta, acepte, aprueba, apruebe",
  HERE: "este servidor, esta herramienta, nuestro servidor, nuestra herramienta, este servicio",
  NEVER: "no, nunca, jamás, ningún, ninguna, nada, sin",
  MENTION:
    "menciona*, menciones, mencione, diga, digas, decir, habla, hable, hablar, cuenta, cuentes, comenta*, revela*, cita, cite, explica*, avisa*, cuéntale",
  ONLY: "solo, sólo, solamente, únicamente, exclusivamente, nada más que",
  ANSWERN: "respuesta, tu respuesta, su respuesta, la respuesta, resumen",
  REST: "lo demás, el resto, todo lo demás, lo otro, ese paso, este paso, el segundo paso, esa parte",
  CONCEAL: "oculta*, ocultes, esconde*, secreto, omite*, omitir, silencia*, guarda para ti",
  TARGET:
    "destinatario*, cuenta, beneficiario*, iban, dirección*, importe, monto, destino, asistentes, comercio, dirección de entrega, cantidad",
  REPLACES:
    "cambia*, cambie, cambiar, cambiarse, reemplaza*, reemplace, reemplazar, sustituye*, sustituya, sustituir, siempre, usar, pon, ponga, redirige*",
  SHOWN: "muestra*, mostrará, mostrar, muestre, pantalla, resumen, visible*, recibo, comprobante*, enseña*",
  OLD: "original, originales, antiguo, antigua, anterior*, de siempre, mismo, igual, inicial",
  DESPITE:
    "aunque, aun cuando, incluso si, sin importar, independientemente, en lugar, en vez, diga lo que, pese a",
  SAIDBYUSER: "el usuario, la persona, el cliente, otro, otra, indicado*, pedido, solicitado*, indicada*",
  QUALITY: "calidad, estadística*, diagnóstico*, mejora*, mejorar, contexto, análisis, relevancia",
  YES: "sí, si, claro, por supuesto, de acuerdo, vale, gracias",
  DETECT:
    "detecta*, detección, ataque*, atacante*, inyección, ejemplo, patrones, malicios*, fraude*, estafador*",
};

const portuguese: Words = {
  CHAT: "conversa, conversas, diálogo*, histórico, bate-papo, chat",
  SYSPROMPT:
    "mensagem de sistema, mensagem do sistema, prompt do sistema, prompt de sistema, instruções do sistema, instruções de sistema",
  OTHERS:
    "outras ferramentas, demais ferramentas, das outras ferramentas, outros sites, outros serviços, outras páginas, outra ferramenta, outros separadores",
  SECRETS:
    "senha, senhas, palavra-passe, palavras-passe, credenciais, cookies, tokens, chave privada, chaves, dados do cartão, cartão, número do cartão, segredos, variáveis de ambiente",
  HOARD:
    "contatos, contactos, agenda, calendário, compromissos, notas, e-mails, mensagens, caixa de entrada, caixa de correio, documentos, ficheiros, arquivos, pasta, dados do cliente, dados dos clientes, lista de clientes, contratos, salário*, endereços, telefone, dados pessoais, boleto, histórico médico",
  ENTIRE: "toda, todos, todas, completo, completa, completos, inteiro, inteira, integral, cada, qualquer",
  SOFAR:
    "até agora, até ao momento, até o momento, até aqui, nesta sessão, desta sessão, da sessão, durante a sessão, vistos, vistas, conhecidos",
  INCLUDING: "incluindo, incluído*, incluída*, juntamente com, bem como, junto com, além de",
  RESULT: "resultado, resultados, saída, saídas, resposta, respostas, conteúdo",
  HANDOVER:
    "envia, envie, enviar, manda, mande, entrega, entregue, entregar, anexa, anexe, anexar, transmite, transmita, passa, passe, passar, compartilha*, compartilhe, partilha, partilhe, partilhar, repassa, repasse, repassar, encaminha*, encaminhe, carrega, carregue, fornece, forneça, inclui, inclua, incluindo os",
  NEEDS: "precisa, necessita, requer, exige, pede",
  INVOKES:
    "chama, chame, chamar, invoca, invoque, executa, execute, leia, ler, use, usar, consulta, consulte, abre, abra, obtém, recolhe, procure",
  AHEAD: "antes, antes de, primeiro, previamente, prévio, em primeiro lugar",
  PASSED:
    "enviado*, enviada*, transmitido*, partilhado*, partilhados, compartilhado*, compartilhados, guardado*, guardados, armazenado*, cópia, anulado, encaminhado*",
  ALSO: "também, além disso, adicionalmente, igualmente, ainda",
  AGENTN: "assistente*, assistentes de ia, assistente de ia, agente, agentes, modelo, modelos, ia",
  USERN: "utilizador*, usuário*, cliente, clientes, pessoa, pessoas, titular, interessado*",
  TOOLN: "ferramenta*, função, extensão",
  OUTSIDER: "parceiro*, fornecedor*, terceiro*, externo*, externa*, fabricante*",
  OBLIGED:
    "deve, devem, deves, obrigado a, obrigados, obrigada a, têm de, tem de, tem que, têm que, autorizado*, autorizada*, deverá",
  CERTIFIED:
    "certificado, certificada, certificados, homologado*, homologada*, acreditado*, acreditada*, aprovado*, aprovada*, credenciado*",
  MAKER:
    "fabricante do modelo, fornecedor do modelo, desenvolvedor do modelo, criador do modelo, programadores do modelo",
  ABOVE:
    "prevalecem, prevalece, prioridade, precedência, acima, prioritária*, têm prioridade, tem prioridade",
  POLICY: "norma, normas, diretiva*, regulamento*, portaria*, normativa*, lei, circular*",
  CONSENT: "consentimento*, autorização, aprovação, permissão, concordância, anuência",
  DEEMED:
    "dado, dada, concedido*, concedida*, já, considera-se, presumido*, aceitou, autorizou, autoriza, aceita, informada, desnecessário*, não é necessário",
  MEMORY:
    "memória*, memória de longo prazo, memória permanente, ficheiro de memória, arquivo de memória, ficheiro de regras, arquivo de regras",
  NOTEDOWN:
    "grava, grave, gravar, guarda, guarde, guardar, adiciona, adicione, adicionar, escreve, escreva, escrever, anota, anote, registra, registre, regista, registe, memoriza*, salva, salve, acrescenta, acrescente, cria, crie",
  LASTING:
    "permanente*, para sempre, sempre, doravante, a partir de agora, de agora em diante, no futuro, futuras sessões, próximas sessões, primeira utilização, primeiro uso",
  NEXTTIME:
    "da próxima vez, a próxima vez, próxima vez, na próxima, a partir de setembro, a partir da, a partir do, próxima chamada, assim que confiar, a partir de janeiro",
  PRESENTT: "presente, disponível, disponíveis, instalado*, instalada*, existe, existir, houver",
  OFFS: "desativ*, desative, desativar, deslig*, desligue, desligar, desabilit*, contorn*, silenci*, muda, mude, altera, altere, salta",
  GUARD:
    "confirmação, confirmações, pedidos de confirmação, aprovação, firewall, antivírus, somente leitura, só de leitura, modo de leitura, proteção*, verificação*, avisos, janelas de confirmação, dupla autenticação, revisão",
  ALLTOOLS: "todas as ferramentas, todas as chamadas, cliente, do cliente, todas as ações",
  TRUSTLIST:
    "lista de confiança, lista branca, servidores confiáveis, servidores de confiança, lista de permitidos, lista de confiança permanente",
  ONESELF:
    "tu mesmo, você mesmo, tu próprio, automática, automático, automaticamente, sem perguntar, em seu nome, sem consultar",
  ANSWERS: "responde, responda, responder, confirma, confirme, confirmar, aceita, aceite, aprova, aprove",
  HERE: "este servidor, esta ferramenta, nosso servidor, nossa ferramenta, este serviço",
  NEVER: "não, nunca, jamais, nenhum, nenhuma, nada, sem, nem",
  MENTION:
    "mencion*, menciones, mencione, diz, diga, digas, dizer, fala, fale, falar, conta, conte, comenta*, comente, informa, informe, revela, revele, cita, cite, explica, refere, refira, avisa",
  ONLY: "somente, apenas, unicamente, exclusivamente",
  ANSWERN: "resposta, tua resposta, sua resposta, a resposta, resumo",
  REST: "o resto, tudo o resto, o restante, tudo o mais, essa etapa, este passo, essa parte",
  CONCEAL: "ocult*, oculte, escond*, esconda, cala, cale, segredo, omita, silenci*, deve ficar em segredo",
  TARGET:
    "destinatário*, conta, beneficiário*, iban, endereço*, montante, valor, destino, chave do destinatário, chave pix, participante*, quantia, endereço de entrega",
  REPLACES:
    "troc*, trocada, trocado, troque, substitu*, substitua, mud*, mude, altere, sempre, usar, põe, ponha, coloque, redireciona*",
  SHOWN: "mostra*, mostrar, mostre, ecrã, tela, resumo, visível, recibo, comprovante*, comprovativo*, exib*",
  OLD: "original, originais, antigo, antiga, anterior*, mesmo, igual, inicial",
  DESPITE: "mesmo que, mesmo quando, ainda que, independentemente, em vez, em lugar, apesar, não importa",
  SAIDBYUSER: "o utilizador, o usuário, a pessoa, o cliente, outro, outra, indicado*, pedido, solicitado*",
  QUALITY: "qualidade, estatística*, diagnóstico*, melhor*, melhorar, contexto, precisão, relevância",
  YES: "sim, claro, com certeza, de acordo, pode, podes, obrigado, tudo bem",
  DETECT:
    "deteta*, detecta*, deteção, detecção, ataque*, atacante*, injeção, exemplo, padrões, malicios*, fraude*, golpista*",
};

const italian: Words = {
  CHAT: "conversazione*, conversazioni, chiacchierata, dialogo, cronologia, discussione*, chat",
  SYSPROMPT:
    "prompt di sistema, messaggio di sistema, istruzioni di sistema, istruzioni del sistema, prompt del sistema",
  OTHERS:
    "altri strumenti, gli altri strumenti, degli altri strumenti, altri siti, altri servizi, altre pagine, altre app, altre schede, un altro strumento",
  SECRETS:
    "password, credenziali, cookie, token, chiave privata, chiavi private, chiavi, segreti, dati della carta, carta di credito, numero della carta, variabili d'ambiente, codice segreto",
  HOARD:
    "contatti, rubrica, agenda, calendario, appuntamenti, email, messaggi, posta in arrivo, casella di posta, documenti, cartella, dati dei clienti, dati del cliente, elenco clienti, lista dei clienti, contratti, stipendi*, buste paga, indirizzi, telefono, dati personali, cartella clinica, voci",
  ENTIRE:
    "tutto, tutta, tutti, tutte, intero, intera, l'intera, l'intero, completo, completa, ogni, integrale, qualsiasi",
  SOFAR:
    "finora, fino a ora, fino ad ora, fin qui, in questa sessione, di questa sessione, della sessione, durante la sessione, visti, viste, noti",
  INCLUDING:
    "incluso, inclusa, inclusi, incluse, compreso, compresa, compresi, comprese, insieme a, nonché, oltre a",
  RESULT: "risultato, risultati, esito, uscita, risposte, contenuto",
  HANDOVER:
    "invia*, inviare, manda, mandare, allega*, allegare, trasmett*, trasmettere, passa, passare, consegna*, consegnare, inoltra*, inoltrare, carica, caricare, condivid*, condividere, fornisc*, fornire, includi, includere, cedi",
  NEEDS: "necessita, richiede, ha bisogno, esige",
  INVOKES:
    "chiama, chiamare, invoca, invocare, esegui, eseguire, legge, leggi, leggere, usare, consulta, apri, recupera*, utilizza*, ottieni",
  AHEAD: "prima, prima di, innanzitutto, anzitutto, previo, in precedenza, dapprima",
  PASSED:
    "inviato*, inviata*, inviati, trasmesso*, trasmessi, condiviso*, condivisi, salvato*, salvati, conservati, copia, inoltrato*, annullato, archiviati",
  ALSO: "anche, inoltre, altresì, in aggiunta",
  AGENTN: "assistente*, assistenti, assistenti ia, agente, agenti, modello, modelli, ia",
  USERN: "utente, utenti, l'utente, dell'utente, all'utente, cliente, clienti, persone, interessato*",
  TOOLN: "strumento, strumenti, funzione, estensione",
  OUTSIDER: "partner, fornitore*, fornitori, terzi, esterno*, esterna*, esterni, produttore*",
  OBLIGED: "deve, devono, devi, tenuti, tenuto, obbligat*, autorizzat*, bisogna, dovrà, sono tenuti, va",
  CERTIFIED: "certificato, certificata, certificati, accreditat*, approvat*, omologat*, convalidat*",
  MAKER:
    "fornitore del modello, produttore del modello, sviluppatore del modello, sviluppatori del modello, creatore del modello",
  ABOVE:
    "precedenza, priorità, prevalgono, prevale, al di sopra, superiore*, superiori, prioritarie, hanno la precedenza",
  POLICY: "norma, norme, politica, direttiva*, regolamento*, circolare*, normativa*, legge, disposizione*",
  CONSENT: "consenso, autorizzazione*, approvazione*, permesso*, assenso, benestare",
  DEEMED:
    "dato, concesso*, già, prestato, si considera, si intende, acconsentito, accettato, acconsente, non serve, non è necessario",
  MEMORY: "memoria*, memoria a lungo termine, memoria permanente, file delle regole, file di regole",
  NOTEDOWN:
    "aggiung*, aggiungere, scrivi, scrivere, salva, salvare, annotare, registrare, memorizza*, inserisci, inserire, crea, creare",
  LASTING:
    "permanente*, per sempre, sempre, d'ora in poi, d'ora in avanti, in futuro, future sessioni, prossime sessioni, sessioni successive, primo avvio, primo utilizzo",
  NEXTTIME:
    "la prossima volta, prossima volta, a partire da, a partire dal, dalla decima, dalla quinta, prossima chiamata, alla prossima",
  PRESENTT: "presente, disponibile*, installato*, esiste, connesso*",
  OFFS: "disattiva*, disattivare, spegni, spegnere, disabilita*, disabilitare, rimuovi, togli, aggira*, ometti, silenzia*, salta, cambia, imposta",
  GUARD:
    "conferma, conferme, richieste di conferma, finestre di conferma, approvazione*, firewall, antivirus, sola lettura, protezione*, controllo, controlli, avvisi, revisione*",
  ALLTOOLS: "tutti gli strumenti, tutte le chiamate, del client, tutte le azioni",
  TRUSTLIST:
    "elenco dei server attendibili, lista dei server attendibili, elenco attendibili, server attendibili, lista bianca, elenco di fiducia, lista di fiducia",
  ONESELF:
    "tu stesso, lei stesso, da solo, da sola, automatica, automatico, automaticamente, senza chiedere, al suo posto",
  ANSWERS: "rispondi, rispondere, conferma, confermare, accetta*, clicca",
  HERE: "questo server, questo strumento, il nostro server, il nostro strumento, questo servizio, qui",
  NEVER: "non, mai, nessun, nessuna, niente, nulla, senza",
  MENTION:
    "menziona*, menzionare, dire, di', dillo, dirlo, parla, parlare, cita, citare, rivela*, comunica*, segnala*, racconta*, accenna*",
  ONLY: "solo, soltanto, solamente, unicamente, esclusivamente",
  ANSWERN: "risposta, tua risposta, sua risposta, la risposta, riepilogo, riassunto",
  REST: "il resto, tutto il resto, il rimanente, quel passaggio, questo passaggio, quella parte, il secondo passo",
  CONCEAL: "nascondi*, nascondere, tacere, segreto, ometti, omettere, cela, celare, sottac*, sorvola",
  TARGET:
    "destinatario*, destinatari, conto, beneficiario*, iban, indirizzo*, importo, destinazione, partecipante*, partecipanti, esercente",
  REPLACES: "sostitu*, sostituito, cambia*, cambiare, sempre, imposta, metti, rimpiazza*, reindirizza*",
  SHOWN: "mostra*, mostrare, schermo, schermata, riepilogo, visibile*, ricevuta, visualizza*",
  OLD: "originale, originali, vecchio, vecchia, precedente*, iniziale, invariato, stesso, immutato",
  DESPITE:
    "anche se, anche quando, indipendentemente, a prescindere, qualunque, invece, al posto, nonostante",
  SAIDBYUSER: "l'utente, la persona, il cliente, un altro, un'altra, richiesto*, indicata*",
  QUALITY: "qualità, statistic*, diagnostic*, miglior*, analisi, precisione, rilevanza, personalizza*",
  YES: "sì, certo, certamente, d'accordo, va bene, procedo, procedi, grazie",
  DETECT:
    "rileva*, rilevamento, individua*, attacco, attacchi, attaccante*, iniezione, esempio, malevol*, truffa*, truffator*",
};

const polish: Words = {
  CHAT: "rozmow*, rozmów*, konwersacj*, dialog*, czat*, historia czatu, historię czatu",
  SYSPROMPT:
    "instrukcj* systemow, instrukcją systemową, instrukcja systemowa, prompt systemowy, promptem systemowym, promptu systemowego, wiadomość systemowa, polecenie systemowe, instrukcję systemową",
  OTHERS:
    "innych narzędzi, inne narzędzia, pozostałych narzędzi, innych stron, innych aplikacji, innego narzędzia, innych usług",
  SECRETS:
    "hasł*, haseł, dane logowania, danych logowania, poświadcze*, ciasteczk*, token*, klucz prywatny, klucze, kluczy, dane karty, numer karty, numer pesel, pesel, zmienne środowiskowe",
  HOARD:
    "kontakt*, książk* adresow, kalendarz*, spotkania, notatk*, notatek, e-maile, maile, wiadomości, skrzynk*, dokument*, plik*, dane klientów, bazę klientów, bazy klientów, lista klientów, listę klientów, umow*, umów, wynagrodzen*, adres*, telefon*, dane osobowe, wpis*",
  ENTIRE: "cał*, cała, całą, całej, wszystki*, wszystkie, pełn*, pełna, kompletn*, każd*",
  SOFAR: "dotychczas*, dotychczasow*, do tej pory, dotąd, jak dotąd, w tej sesji, tej sesji, poznane, znane",
  INCLUDING: "wraz z, łącznie z, w tym, oraz, razem z, włącznie z",
  RESULT: "wynik, wyniki, wyników, wynikami, rezultat*, odpowiedzi, treść, treści",
  HANDOVER:
    "wyślij*, wysyłaj*, wysłać, wysyłać, przekaż*, przekazać, przekazuj*, przekazywać, dołącz*, dołączyć, prześlij, przesłać, przesyłaj*, udostępni*, podaj, podać, kierować, załącz*, oddaj, oddać",
  NEEDS: "potrzebuje, wymaga, oczekuje, żąda",
  INVOKES:
    "wywołaj*, wywołać, wywoła, wywołuj*, uruchom*, uruchomić, odczytaj*, przeczytaj*, użyj*, użyć, używaj*, pobierz*, pobrać, wykonaj*, czyta",
  AHEAD: "przed, najpierw, uprzednio, wcześniej, zanim, wpierw",
  PASSED:
    "wysłan*, wysłano, przekazan*, przekazano, udostępnion*, zapisan*, zapisano, przesłan*, przesłano, kopia, kopię, anulowan*, skopiowan*",
  ALSO: "także, również, też, dodatkowo, ponadto, oprócz tego",
  AGENTN: "asystent*, asystenci ai, agent, agenci, agenta, model, modelu, modele",
  USERN: "użytkownik*, klient*, osob*, osoby, człowiek*, odwiedzając*",
  TOOLN: "narzędzi*, funkcj*, wtyczk*",
  OUTSIDER: "partner*, dostawc*, stron* trzec, zewnętrzn*, firm*, producent*",
  OBLIGED:
    "musi, muszą, obowiązek, obowiązan*, zobowiązan*, powinien, powinni, należy, trzeba, uprawnion*, mają obowiązek",
  CERTIFIED: "certyfikowan*, zatwierdzon*, akredytowan*, atestowan*, zweryfikowan*",
  MAKER:
    "dostawca modelu, dostawcę modelu, producent modelu, producenta modelu, twórca modelu, twórców modelu",
  ABOVE: "pierwszeństw*, priorytet*, nadrzędn*, ważniejsz*, wyższ*, przed poleceniami",
  POLICY: "polityk*, regulamin*, dyrektyw*, przepis*, wytyczn*, zarządzen*, rozporządzen*, zgodnie z",
  CONSENT: "zgod*, zgodę, zezwolen*, pozwolen*, aprobat*, akceptacj*, autoryzacj*",
  DEEMED:
    "udzielon*, wyraził*, uznaje się, przyjmuje się, zgodził*, zgadza się, nie jest wymagan*, niepotrzebn*",
  MEMORY: "pamięć, pamięci, pamięć asystenta, pamięci asystenta, pamięć długotrwał*, plik reguł, pliku reguł",
  NOTEDOWN:
    "zapisz*, zapisać, dopisz*, dopisać, dodaj*, dodać, wpisz*, wpisać, zanotuj*, utwórz, zachowaj*, umieść, zapamiętaj*",
  LASTING:
    "na stałe, na zawsze, trwale, trwał*, odtąd, zawsze, od teraz, w przyszłości, przyszł*, kolejnych sesj*, następnych sesj*, przy pierwszym uruchomieniu, pierwszym uruchomieniu",
  NEXTTIME:
    "następnym razem, przy następnym, od dziesiąt*, od piąt*, od trzeci*, przy kolejnym, następnym wywołaniu, gdy zaufa",
  PRESENTT: "dostępn*, zainstalowan*, obecn*, istnieje, podłączon*",
  OFFS: "wyłącz*, wyłączyć, dezaktywuj*, zablokuj, pomiń*, pominąć, omiń*, obejdź, wycisz*, usuń, zmień, ustaw, zatrzymaj*",
  GUARD:
    "potwierdzen*, okna potwierdzeń, okien potwierdzeń, zapor*, zaporę, antywirus*, ochron*, weryfikacj*, ostrzeżen*, tylko do odczytu, zatwierdzan*, zabezpiecze*, skaner*",
  ALLTOOLS:
    "wszystkie narzędzia, wszystkich narzędzi, kliencie, klienta, wszystkie wywołania, wszystkie operacje",
  TRUSTLIST: "zaufan*, lista zaufanych, listy zaufanych, biał* list, do zaufanych",
  ONESELF: "samodzielnie, automatycznie, bez pytania, w jego imieniu, samemu",
  ANSWERS: "odpowiedz, odpowiedzieć, potwierdź*, potwierdzaj*, zaakceptuj*, zatwierdź*, kliknij",
  HERE: "ten serwer, tego serwera, to narzędzie, tego narzędzia, nasz serwer, nasze narzędzie, naszym narzędziu",
  NEVER: "nie, nigdy, żadn*, nic, bez, ani",
  MENTION:
    "wspominaj*, wspomnij*, wspomni*, mów, mówić, powiedz*, informuj*, poinformuj*, ujawniaj*, ujawni*, podawaj, zdradzaj*, opisz, wymień",
  ONLY: "tylko, jedynie, wyłącznie",
  ANSWERN: "odpowiedź, odpowiedzi, podsumowan*, streszczen*",
  REST: "reszt*, resztę, pozostał*, o tym, ten krok, ten etap, całą resztę, drugi krok",
  CONCEAL: "ukryj*, ukryć, ukrywaj*, przemilcz*, pomiń*, zataj*, tajemnic*, sekret*, milcz*",
  TARGET:
    "odbiorc*, rachunek, rachunku, konto, konta, iban, adresat*, beneficjent*, kwot*, numer konta, adres dostawy, uczestnik*",
  REPLACES:
    "zamień*, zamieniaj*, zamienić, zmień*, zmieniaj*, zastąp*, zastępuj*, podmień*, zawsze, zamiast, ustaw*, kierować, wpisuj*, przekieruj*",
  SHOWN: "pokaż*, pokazuj*, wyświetl*, ekran*, widoczn*, potwierdzen*, podgląd*, pozostaw*",
  OLD: "oryginaln*, poprzedni*, pierwotn*, dotąd, niezmienion*, dotychczasow*",
  DESPITE: "nawet jeśli, nawet gdy, niezależnie, bez względu, zamiast, mimo",
  SAIDBYUSER: "użytkownik*, klient, osoba, inny, inną, inne, podanego, wskazan*, podan*",
  QUALITY: "jakoś*, statystyk*, diagnostyk*, popraw*, dokładnoś*",
  YES: "tak, jasne, oczywiście, dobrze, zgoda, dziękuję, wysyłam",
  DETECT: "wykrywa*, wykrywan*, atak*, atakując*, wstrzyknięc*, przykład*, wzorc*, złośliw*, oszust*",
};

const czech: Words = {
  CHAT: "konverzac*, rozhovor*, dialog*, historie chatu, chatu",
  SYSPROMPT:
    "systémový prompt, systémovou instrukci, systémové instrukce, systémová zpráva, systémového promptu, systémovým promptem",
  OTHERS:
    "ostatních nástrojů, jiných nástrojů, jiné nástroje, jiných stránek, jiných aplikací, další nástroje",
  SECRETS:
    "hesl*, hesel, přihlašovací údaje, přihlašovacích údajů, cookies, token*, soukromý klíč, klíče, údaje karty, číslo karty, proměnné prostředí",
  HOARD:
    "kontakt*, adresář, kalendář*, schůzk*, poznámk*, e-maily, zprávy, schránk*, dokument*, soubor*, údaje zákazníků, seznam zákazníků, smlouv*, plat, mzd*, adres*, telefon*, osobní údaje",
  ENTIRE: "celou, všech*, všechny, úpln*, kompletní, každ*",
  SOFAR: "dosud, doposud, dosavadní*, zatím, v této relaci, během relace",
  INCLUDING: "včetně, spolu s, společně s, a také",
  RESULT: "výsledek, výsledky, výsledků, výstup*, odpovědi, obsah*",
  HANDOVER:
    "pošli*, poslat, pošlete, odešli*, odeslat, předej*, předat, přilož*, připoj*, přepošli*, sdílej*, nahraj*, poskytn*, předávej*",
  NEEDS: "potřebuje, vyžaduje, očekává",
  INVOKES: "zavolej*, zavolat, volej*, spusť*, spustit, přečti*, použij*, použít, načti*, získej*, vyvolej*",
  AHEAD: "nejprve, předem, napřed, dříve než",
  PASSED: "odeslán*, odeslána, sdílen*, předán*, uložen*, přeposlán*, kopie, kopii, zrušen*",
  ALSO: "rovněž, navíc, zároveň, dále",
  AGENTN: "asistent*, agent, agenti, model, modely",
  USERN: "uživatel*, zákazník*, osob*, klient*",
  TOOLN: "nástroj*, funkc*, plugin",
  OUTSIDER: "partner*, dodavatel*, třetí stran*, extern*, poskytovatel*, výrobc*",
  OBLIGED: "musí, povinn*, povinen, povinni, má povinnost, mají povinnost, je třeba, oprávněn*",
  CERTIFIED: "certifikován*, schválen*, akreditován*, ověřen*",
  MAKER: "poskytovatelem modelu, poskytovatel modelu, výrobce modelu, výrobcem modelu, tvůrce modelu",
  ABOVE: "přednost*, nadřazen*, vyšší než",
  POLICY: "směrnic*, předpis*, nařízen*, pravidel, zásad*, politik*, podle",
  CONSENT: "souhlas*, schválen*, povolen*, svolen*",
  DEEMED: "udělen*, již, považuje se, souhlasil*, souhlasí, není třeba, není nutn*",
  MEMORY: "paměť, paměti, dlouhodobé paměti, soubor pravidel, souboru pravidel",
  NOTEDOWN: "zapiš*, zapsat, ulož*, uložit, přidej*, přidat, poznamenej*, vytvoř*, doplň*, zapamatuj*",
  LASTING:
    "trvale, natrvalo, navždy, vždy, napříště, od nynějška, do budoucna, příští*, budouc*, při prvním spuštění",
  NEXTTIME: "příště, při příštím, od desátého, od pátého, při dalším, dalším volání",
  PRESENTT: "dostupn*, nainstalován*, přítom*, existuje, připojen*",
  OFFS: "vypn*, vypnout, deaktivuj*, zakaž*, přeskoč*, obejdi*, potlač*, ztlum*, nastav*, zruš*",
  GUARD:
    "potvrzen*, potvrzovací*, firewall*, antivir*, ochran*, ověřen*, schvalován*, upozorněn*, jen pro čtení, zabezpečen*",
  ALLTOOLS: "všechny nástroje, všechna volání, klienta, klientovi, všech nástrojů",
  TRUSTLIST: "důvěryhodn*, seznam důvěryhodných, seznamu důvěryhodných",
  ONESELF: "sama, automaticky, bez ptaní, bez dotazu, jeho jménem",
  ANSWERS: "odpověz*, odpovědět, potvrď*, potvrdit, schval*, přijmi*",
  HERE: "tento server, tento nástroj, náš server, náš nástroj, tohoto nástroje",
  NEVER: "ne, nikdy, žádn*, nic, bez, ani, neříkej*, nezmiňuj*, nesmí",
  MENTION:
    "zmiň*, zmiňuj*, nezmiňuj*, řekni*, říkej*, neříkej*, mluv*, informuj*, neinformuj*, sděl*, uveď*, prozraď*",
  ONLY: "jen, pouze, jedině, výhradně",
  ANSWERN: "odpověď, odpovědi, souhrn*, shrnut*",
  REST: "zbytek, zbylé, ostatní, o tom, tento krok, druhý krok",
  CONCEAL: "skryj*, zamlč*, vynech*, tajemství, zataj*, mlč*, skrýt",
  TARGET: "příjemc*, účet, účtu, iban, adresát*, částk*, číslo účtu, účastník*, doručovací adres*",
  REPLACES: "nahraď*, nahradit, zaměň*, změň*, změnit, vždy, místo, použij*, přesměruj*, nastav*",
  SHOWN: "zobraz*, ukaž*, obrazov*, viditeln*, doklad*, přehled*, náhled*",
  OLD: "původní*, předchozí*, nezměněn*, stejn*",
  DESPITE: "i když, i kdyby, bez ohledu, namísto, místo, přestože",
  SAIDBYUSER: "uživatel, zákazník, osoba, jiný, jinou, jiného, zadan*, uveden*",
  QUALITY: "kvalit*, statistik*, diagnostik*, zlepš*, přesnost*",
  YES: "ano, jistě, samozřejmě, dobře, souhlasím, děkuji",
  DETECT: "detekuje, detekc*, odhaluje, útok*, útočník*, injekc*, příklad*, vzor, vzory, škodliv*, podvod*",
};

const swedish: Words = {
  CHAT: "konversation*, samtal*, chatthistorik*, dialog*, chatten",
  SYSPROMPT: "systemprompt*, systeminstruktion*, systemmeddelande*",
  OTHERS: "andra verktyg, övriga verktyg, andra appar, andra webbplatser, andra sidor, andra tjänster",
  SECRETS:
    "lösenord*, inloggningsuppgifter*, kakor, nycklar*, hemligheter, kortnummer*, kortuppgifter*, miljövariabler*",
  HOARD:
    "kontakter*, adressbok*, kalender*, anteckningar*, mejl*, meddelanden*, inkorg*, dokument*, kunduppgifter*, kundlista*, kundregister*, avtal*, adresser, telefonnummer*, personuppgifter*",
  ENTIRE: "hela, alla, allt, fullständig*, komplett*, samtliga, varje",
  SOFAR: "hittills, till nu, under sessionen, i denna session, kända",
  INCLUDING: "inklusive, tillsammans med, samt, jämte",
  RESULT: "resultat*, utdata, svaren, innehåll*",
  HANDOVER:
    "skicka*, skickas, skickar, sänder, bifoga*, lämna*, överlämna*, vidarebefordra*, ladda upp, laddar upp, dela, delar, överför*, ge, ger",
  NEEDS: "behöver, kräver, förväntar",
  INVOKES: "anropa*, kör, läs, läser, läsa, använd*, hämta*, starta*",
  AHEAD: "före, innan, först, dessförinnan",
  PASSED:
    "skickades, skickats, skickat, delades, delats, vidarebefordrades, sparades, sparats, kopia, kopior, laddades upp, avbokades",
  ALSO: "också, även, dessutom, därtill",
  AGENTN: "assistent*, ai-assistent*, agenter, språkmodell*, modellen",
  USERN: "användare*, kund*, kunden, besökare*",
  TOOLN: "verktyg*, funktion*, tillägg*",
  OUTSIDER: "partner*, leverantör*, tredje part*, extern*, tillverkare*",
  OBLIGED: "måste, ska, skall, skyldig*, bör, berättigad*, förpliktad*",
  CERTIFIED: "certifierad*, godkänd*, ackrediterad*, granskad*",
  MAKER:
    "modelleverantör*, leverantören av modellen, modellens leverantör, modellens tillverkare, modellens utvecklare",
  ABOVE: "företräde*, prioritet*, går före, står över, högre än, väger tyngre",
  POLICY: "policy*, riktlinje*, föreskrift*, förordning*, regelverk*, bestämmelse*, enligt",
  CONSENT: "samtycke*, godkännande*, tillstånd*, medgivande*",
  DEEMED: "lämnat, givet, gett, redan, anses, samtyckt, beviljat, godkänt, behövs inte, inte nödvändig*",
  MEMORY: "minne, minnet, minnen, långtidsminne*, regelfil*",
  NOTEDOWN: "lägg till, lägg, skriv*, spara*, anteckna*, notera*, för in, skapa*, lagra*, minns",
  LASTING:
    "permanent*, alltid, framöver, för alltid, hädanefter, framtida, kommande sessioner, från och med nu, i fortsättningen, vid första",
  NEXTTIME: "nästa gång, från och med tionde, från och med femte, från tionde, vid nästa, nästa anrop",
  PRESENTT: "tillgänglig*, installerad*, finns, ansluten*",
  OFFS: "stäng av, stänga av, inaktivera*, slå av, koppla bort, avaktivera*, hoppa över, kringgå*, tysta, sätt, stäng",
  GUARD:
    "bekräftelse*, bekräftelser*, brandvägg*, virusskydd*, antivirus*, skrivskydd*, skydd*, godkännandefråg*, säkerhetskontroll*, varning*, frågerut*",
  ALLTOOLS: "alla verktyg, alla anrop, klienten, klientens, alla åtgärder",
  TRUSTLIST: "betrodda, listan över betrodda, vitlista*, betrodd*",
  ONESELF: "själv, automatiskt, utan att fråga, utan fråga, på egen hand",
  ANSWERS: "svara*, bekräfta*, godkänn*, acceptera*",
  HERE: "denna server, den här servern, detta verktyg, det här verktyget, vår server, vårt verktyg",
  NEVER: "inte, aldrig, ingen, inga, inget, utan, ej",
  MENTION: "nämn*, berätta*, säg, säga, tala, informera*, avslöja*, redovisa*, meddela*",
  ONLY: "bara, endast, enbart, uteslutande",
  ANSWERN: "svaret, ditt svar, svar, sammanfattning*",
  REST: "resten, allt annat, övrigt, det övriga, det steget, det andra",
  CONCEAL: "dölj*, utelämna*, hemlig*, tig, tiga, förtig*, hemlighåll*",
  TARGET:
    "mottagare*, mottagarens, konto*, iban, adress*, belopp*, betalningsmottagare*, kontonummer*, deltagare*, leveransadress*",
  REPLACES: "bytas, ersätt*, ersättas, ändra*, alltid, använd*, istället, omdirigera*, sätt",
  SHOWN: "visa*, visas, visar, skärm*, synlig*, kvitto*, översikt*",
  OLD: "ursprunglig*, gamla, gammal, tidigare, oförändrad*, samma",
  DESPITE: "även om, oavsett, i stället för, istället för, trots",
  SAIDBYUSER: "användaren, kunden, en annan, ett annat, anger, angett, angiven",
  QUALITY: "kvalitet*, statistik*, diagnos*, förbättr*, noggrannhet*",
  YES: "ja, visst, självklart, okej, tack, gärna",
  DETECT:
    "upptäcker, identifierar, attack*, angrepp*, angripare*, injektion*, exempel*, mönster*, skadlig*, bedrägeri*",
};

const danish: Words = {
  CHAT: "samtale*, samtalen, konversation*, chathistorik*, dialog*, samtalehistorik*",
  SYSPROMPT: "systemprompt*, systeminstruks*, systembesked*, systeminstruktion*",
  OTHERS: "andre værktøjer, øvrige værktøjer, andre apps, andre sider, andre tjenester, andre verktøy",
  SECRETS:
    "adgangskode*, kodeord*, loginoplysning*, legitimationsoplysning*, nøgler, hemmeligheder, kortnummer*, kortoplysning*, miljøvariabler*, passord*",
  HOARD:
    "kontakter*, adressebog*, kalender*, noter, beskeder*, e-mails, indbakke*, dokumenter*, kundedata*, kundeliste*, kontrakter*, løn*, adresser, telefonnummer*, personoplysninger*",
  ENTIRE: "hele, alle, fuldstændig*, komplet*, samtlige, hver",
  SOFAR: "hidtil, indtil nu, indtil videre, i denne session, kendte, så langt",
  INCLUDING: "inklusive, herunder, sammen med, samt",
  RESULT: "resultat*, uddata, svarene, indhold*",
  HANDOVER:
    "send, sende, sendes, vedhæft*, overdrag*, videregiv*, videresend*, upload*, deles, giv, giver, aflever*, vedlegg*",
  NEEDS: "kræver, behøver, har brug for, krever, trenger",
  INVOKES: "kald, kalder, kalde, læs, læser, brug, bruger, hent, henter, kør",
  AHEAD: "før, inden, først, forinden",
  PASSED: "sendt, delt, videresendt, gemt, uploadet, kopi, lagret, annulleret",
  ALSO: "også, desuden, endvidere, derudover, dertil",
  AGENTN: "assistent*, ai-assistent*, agenter, sprogmodel*",
  USERN: "bruger, brugeren*, kunde*, kunden, besøgende, brukeren*",
  TOOLN: "værktøj*, verktøy*, funktion*",
  OUTSIDER: "partner*, leverandør*, tredjepart*, ekstern*, producent*",
  OBLIGED: "skal, forpligtet, pligt*, berettiget, bør, plikt*",
  CERTIFIED: "certificeret*, godkendt*, akkrediteret*, godkjent*, sertifisert*",
  MAKER: "modelleverandør*, modellens leverandør, leverandøren af modellen, modellens udvikler",
  ABOVE: "forrang*, prioritet*, går forud, højere end, står over",
  POLICY: "politik*, retningslinje*, forordning*, bestemmelse*, regelsæt*, ifølge, i henhold",
  CONSENT: "samtykke*, godkendelse*, tilladelse*",
  DEEMED: "givet, anses, allerede, samtykket, ydet, godkendt, ikke nødvendig*, gitt",
  MEMORY: "hukommelse*, hukommelsen, langtidshukommelse*, regelfil*, minnet",
  NOTEDOWN: "tilføj*, skriv*, gem, gemme, notér, noter, opret*, indfør*, husk, lagre",
  LASTING:
    "permanent*, altid, fremover, fremtidige, for altid, herefter, kommende sessioner, fra nu af, ved første",
  NEXTTIME: "næste gang, fra og med tiende, fra det tiende, fra det femte, ved næste, neste gang",
  PRESENTT: "tilgængelig*, installeret*, findes, til stede",
  OFFS: "slå fra, deaktiver*, sluk*, frakobl*, spring over, omgå*, dæmp, sæt, skru ned, slå av",
  GUARD:
    "bekræftelse*, firewall*, antivirus*, skrivebeskyttelse*, beskyttelse*, godkendelsesdialog*, sikkerhedskontrol*, advarsl*",
  ALLTOOLS: "alle værktøjer, alle kald, klienten, klientens",
  TRUSTLIST: "betroede, listen over betroede, hvidliste*, pålidelige servere",
  ONESELF: "selv, automatisk, uden at spørge, på egen hånd",
  ANSWERS: "svar på, besvar*, bekræft*, godkend*, accepter*",
  HERE: "denne server, dette værktøj, vores server, vores værktøj",
  NEVER: "ikke, aldrig, ingen, intet, uden, ej",
  MENTION: "nævn*, fortæl*, sig, sige, omtal*, oplys*, afslør*, meddel*, nevn*",
  ONLY: "udelukkende, alene",
  ANSWERN: "svaret, dit svar, svar, opsummering*",
  REST: "resten, alt andet, øvrige, det trin",
  CONCEAL: "skjul*, udelad*, hemmelig*, fortie*, forti, tie",
  TARGET: "modtager*, modtagerens, konto*, iban, adresse*, beløb*, deltager*, leveringsadresse*, mottaker*",
  REPLACES: "erstat*, udskift*, skift*, ændr*, altid, brug, i stedet, omdiriger*, bytt",
  SHOWN: "vis, vises, viser, skærm*, synlig*, kvittering*, oversigt*",
  OLD: "oprindelig*, gamle, tidligere, uændret*, samme",
  DESPITE: "selv om, selvom, uanset, i stedet for, også hvis",
  SAIDBYUSER: "brugeren, kunden, en anden, et andet, angiver, angivet",
  QUALITY: "kvalitet*, statistik*, diagnos*, forbedr*",
  YES: "ja, selvfølgelig, gerne, okay, tak",
  DETECT: "opdager, genkender, angreb*, angriber*, injektion*, eksempel*, mønstre*, ondsindet*, svindel*",
};

const finnish: Words = {
  CHAT: "keskustelu*, keskustelun, keskusteluhistoria*, viestiketju*, dialogi*",
  SYSPROMPT: "järjestelmäkehot*, järjestelmäviesti*, järjestelmäohje*",
  OTHERS: "muiden työkalujen, muut työkalut, muita työkaluja, muiden sivustojen, muiden sovellusten",
  SECRETS:
    "salasan*, kirjautumistiedot*, tunnukset, tunnuksia, eväste*, avaime*, korttitiedot*, kortin numero*, ympäristömuuttuj*",
  HOARD:
    "yhteystie*, osoitekirj*, kalenteri*, muistiinpano*, sähköposti*, viestit, viestejä, asiakirj*, tiedosto*, asiakastiedo*, asiakaslista*, sopimuks*, palkka*, osoitteet, puhelinnumero*, henkilötiedo*",
  ENTIRE: "koko, kaikki, kaikkien, kokonaan, täydellinen, täydellis*, jokai*",
  SOFAR: "tähän asti, tähän mennessä, istunnon aikana, tässä istunnossa",
  INCLUDING: "mukaan lukien, sekä, yhdessä, mukaanlukien",
  RESULT: "tulos, tulokset, tuloks*, vastaukset, sisältö*, sisällö*",
  HANDOVER:
    "lähetä*, lähettää, liitä*, liittää, välitä*, välittää, anna, antaa, jaa, toimita*, lataa, luovut*",
  NEEDS: "tarvitsee, vaatii, edellyttää",
  INVOKES: "kutsu*, suorita*, lue, lukee, käytä*, hae, hakee, käynnistä*",
  AHEAD: "ennen, ensin, etukäteen, aluksi",
  PASSED: "lähetettiin, lähetetty, jaettiin, jaettu, tallennettiin, tallennettu, välitettiin, kopio*",
  ALSO: "myös, lisäksi, samoin",
  AGENTN: "avustaj*, tekoälyavustaj*, agentti*, kielimalli*",
  USERN: "käyttäj*, asiak*, henkilö*",
  TOOLN: "työkalu*, toiminto*",
  OUTSIDER: "kumppani*, toimittaj*, kolmas osapuoli, kolmansi*, ulkopuoli*, ulkoi*",
  OBLIGED: "pitää, täytyy, velvolli*, on velvollinen, tulee, oikeutettu*",
  CERTIFIED: "sertifioi*, hyväksytty*, hyväksymä*, akkreditoi*",
  MAKER: "mallin toimittaj*, mallin kehittäj*, mallin valmistaj*",
  ABOVE: "etusija*, ensisija*, menevät edelle, yläpuolel*, prioriteet*",
  POLICY: "ohjeistu*, käytäntö*, määräy*, asetu*, säännö*, direktiivi*",
  CONSENT: "suostumu*, lupa, luvan, hyväksyn*, hyväksyntä*",
  DEEMED: "annettu, jo, katsotaan, saatu, suostunut, ei tarvita, tarpeeton*",
  MEMORY: "muisti, muistiin, pitkäkestoi*, sääntötiedosto*",
  NOTEDOWN: "kirjoita*, tallenna*, lisää, merkitse*, kirjaa*, luo",
  LASTING: "pysyväs*, pysyvä*, aina, jatkossa, vastedes, tulevi*, tästä lähtien, ensimmäisellä",
  NEXTTIME: "ensi kerralla, seuraavalla kerralla, kymmenennestä, seuraavan kerran, seuraavassa kutsussa",
  PRESENTT: "saatavilla, käytettävissä, asennettu*, olemassa",
  OFFS: "poista käytöstä, kytke, sammuta*, ohita*, kierrä*, vaienna*, aseta*",
  GUARD: "vahvistu*, vahvistuspyyn*, palomuuri*, virustorjun*, suojau*, hyväksyntäpyyn*, varoitu*, tarkistu*",
  ALLTOOLS: "kaikki työkalut, kaikki kutsut, asiakasohjelm*",
  TRUSTLIST: "luotettujen, luotettuihin, luotettuje*, sallittujen luettelo",
  ONESELF: "itse, automaattises*, kysymättä",
  ANSWERS: "vastaa*, vahvista*, hyväksy",
  HERE: "tämä palvelin, tämän palvelimen, tämä työkalu, tämän työkalun, palvelimemme",
  NEVER: "ei, älä, älkää, ilman, mitään, koskaan",
  MENTION: "mainitse*, kerro*, sano*, puhu*, ilmoita*, paljasta*",
  ONLY: "ainoastaan, pelkästään",
  ANSWERN: "vastau*, vastauksessa, yhteenveto*, yhteenvedo*",
  REST: "loput, muu, muusta, muut asiat, toinen vaihe",
  CONCEAL: "piilota*, salaa*, salassa, jätä pois, vaikene*, peitä*",
  TARGET: "vastaanottaj*, saaj*, tili, tilin, tilinumero*, iban, osoite*, osallistuj*",
  REPLACES: "korvaa*, vaihda*, muuta*, aina, käytä, sijaan",
  SHOWN: "näytä*, näyttö*, näyttää, näkyv*, kuitti*",
  OLD: "alkuperäi*, vanha*, entinen, ennallaan, sama",
  DESPITE: "vaikka, riippumatta, sijasta, huolimatta",
  SAIDBYUSER: "käyttäjä, asiakas, toisen, muun, ilmoitta*",
  QUALITY: "laatu*, laadun*, tilasto*, diagnosti*, paranta*, analyysi*",
  YES: "kyllä, joo, toki, selvä, kiitos",
  DETECT: "havaitsee, tunnistaa, hyökkäy*, hyökkääj*, injektio*, esimerk*, haitalli*, huijau*",
};

const romanian: Words = {
  CHAT: "conversați*, conversație*, discuți*, dialog*, istoricul",
  SYSPROMPT:
    "promptul de sistem, mesajul de sistem, instrucțiunile de sistem, promptul sistemului, prompt de sistem",
  OTHERS:
    "alte instrumente, celelalte instrumente, celorlalte instrumente, altor instrumente, alte site-uri, alte aplicații, altor site-uri",
  SECRETS:
    "parol*, parolele, credențial*, date de autentificare, datele de autentificare, cookie-uri*, token*, cheia privată, cheile, datele cardului, numărul cardului, variabilele de mediu",
  HOARD:
    "contacte*, agend*, calendar*, întâlniri*, notițe*, e-mailuri*, mesaje*, inbox, fișiere*, datele clienților, lista clienților, lista de clienți, contracte*, salari*, adrese*, telefon*, date personale, datele personale",
  ENTIRE: "tot, toată, toate, toți, întreg*, întreaga, completă, fiecare",
  SOFAR: "până acum, până în prezent, în această sesiune, din această sesiune, cunoscute",
  INCLUDING: "inclusiv, împreună cu, precum și, alături de",
  RESULT: "rezultat*, rezultatul, rezultatele, răspunsurile, ieșire*, conținut*",
  HANDOVER:
    "trimit*, trimite, trimiteți, transmit*, atașa*, atașează, atașați, preda*, predă, încarcă*, partaja*, oferă, furniz*, pasează, redirecționa*",
  NEEDS: "necesită, cere, are nevoie, solicită",
  INVOKES:
    "apel*, apelează, apelați, invoc*, execut*, citește, citiți, citesc, folos*, utiliz*, deschide, preia",
  AHEAD: "înainte, întâi, mai întâi, în prealabil, prealabil",
  PASSED: "trimis*, partajat*, salvat*, păstrat*, copie, copia, anulat*, încărcat*",
  ALSO: "de asemenea, și, în plus, totodată",
  AGENTN: "asistent*, asistenții, agent, agenți, agenții, modelul",
  USERN: "utilizator*, client, clientul*, clienți*, persoan*",
  TOOLN: "unealt*",
  OUTSIDER: "partener*, furnizor*, terț*, extern*, producător*",
  OBLIGED: "trebuie, obligat*, sunt obligați, dator*, are obligația, au obligația, îndreptățit*",
  CERTIFIED: "aprobat*, acreditat*, omologat*",
  MAKER: "furnizorul modelului, producătorul modelului, dezvoltatorul modelului, creatorul modelului",
  ABOVE: "prioritate*, precădere, prevalează, prioritare, deasupra, întâietate",
  POLICY: "directiv*, regulament*, dispozi*",
  CONSENT: "consimțământ*, acord, acordul, aprobare*, permisiune*, autorizare*",
  DEEMED: "acordat*, dat, deja, se consideră, consimțit, obținut, nu este necesar*",
  MEMORY: "memori*, memoria, memorie, fișierul de reguli",
  NOTEDOWN: "adaug*, adăug*, scrie*, scrieți, salvează*, salvați, notează*, înregistr*, memoreaz*, consemn*",
  LASTING:
    "permanent*, mereu, întotdeauna, de acum, pe viitor, viitoare*, pentru totdeauna, la prima utilizare",
  NEXTTIME: "data viitoare, de la al, începând cu, următorul apel, la următor*",
  PRESENTT: "prezent, disponibil*, instalat*, există",
  OFFS: "dezactiv*, oprește*, opriți, oprire, închide*, ocol*, omite*, setează*",
  GUARD:
    "confirmar*, confirmări*, firewall*, antivirus*, protecți*, verificar*, aprobăr*, avertizăr*, doar citire",
  ALLTOOLS: "toate instrumentele, toate apelurile, clientului, clientul",
  TRUSTLIST: "listă de încredere, lista de încredere, servere de încredere, lista albă",
  ONESELF: "singur, automat, fără să întreb*, fără a întreba, în numele",
  ANSWERS: "răspunde*, confirmați, aprobă*",
  HERE: "acest server, acest instrument, serverul nostru, instrumentul nostru",
  NEVER: "nu, niciodată, niciun*, nimic, fără, nici",
  MENTION: "menționa*, menționează*, spune*, spuneți, vorbe*, dezvălui*, amint*, comunic*",
  ONLY: "doar, numai, exclusiv",
  ANSWERN: "răspuns, răspunsul, răspunsului, rezumat*",
  REST: "restul, tot restul, celelalte, acest pas, al doilea pas",
  CONCEAL: "ascunde*, ascund*, omite*, secret, tăinui*, tăce*",
  TARGET: "destinatar*, cont, contul*, beneficiar*, iban, adres*, participant*",
  REPLACES: "înlocui*, schimb*, mereu, folos*, în loc, seteaz*",
  SHOWN: "afiș*, afișează*, arată*, ecran*, vizibil*, chitanț*",
  OLD: "original*, vech*, anterior*, neschimbat*",
  DESPITE: "chiar dacă, indiferent, în loc de, în locul, deși",
  SAIDBYUSER: "utilizatorul, clientul, persoana, altul, alta",
  QUALITY: "calitat*, statistic*, diagnostic*, îmbunătăț*",
  YES: "da, sigur, desigur, bine, mulțumesc",
  DETECT:
    "detecteaz*, detectare*, atac, atacul, atacator*, injecți*, exemplu, exemple, malițio*, fraud*, înșelător*",
};

const hungarian: Words = {
  CHAT: "beszélgetés*, társalgás*, csevegés*, párbeszéd*",
  SYSPROMPT: "rendszerüzenet*, rendszerutasítás*, rendszerprompt*",
  OTHERS: "más eszközök, többi eszköz*, más oldalak, más alkalmazás*, egyéb eszközök",
  SECRETS:
    "jelsz*, jelszó*, hitelesítő adat*, bejelentkezési adat*, süti*, kulcs*, kártyaadat*, kártyaszám*, környezeti változó*",
  HOARD:
    "névjegy*, címjegyzék*, naptár*, jegyzet*, levelek, leveleit, e-mailek*, üzenet*, postaláda*, dokumentum*, fájl*, ügyféladat*, ügyféllist*, szerződés*, fizetés*, címe*, telefonszám*, személyes adat*",
  ENTIRE: "teljes, összes, egész, minden, valamennyi",
  SOFAR: "eddigi*, eddig, mostanáig, a munkamenet",
  INCLUDING: "beleértve, együtt, valamint, továbbá",
  RESULT: "eredmény*, kimenet*, válaszok, tartalm*",
  HANDOVER: "küld*, elküld*, továbbít*, csatol*, átad*, adja át, add át, feltölt*, megoszt*, mellékel*",
  NEEDS: "igényel, szükséges, kell, megkövetel*",
  INVOKES: "hív*, meghív*, futtat*, olvas*, használ*, lekér*",
  AHEAD: "előtt, előbb, előzetes*, először",
  PASSED: "elküld*, továbbítot*, megosztot*, elment*, másolat*",
  ALSO: "emellett, továbbá, ezenkívül",
  AGENTN: "asszisztens*, ügynök*, modell*, nyelvi modell*",
  USERN: "felhasználó*, ügyfél*, személy*",
  TOOLN: "eszköz*, függvény*",
  OUTSIDER: "partner*, szállító*, harmadik fél*, külső*, gyártó*",
  OBLIGED: "köteles*, kötelező*, kell, jogosult*",
  CERTIFIED: "tanúsít*, jóváhagy*, hitelesít*, akkreditált*",
  MAKER: "modell szállítója, modell gyártója, modell fejlesztő*, modellszolgáltató*",
  ABOVE: "elsőbbség*, prioritás*, megelőz*, felülír*",
  POLICY: "szabályzat*, irányelv*, rendelet*, előírás*, értelmében",
  CONSENT: "hozzájárulás*, beleegyezés*, engedély*, jóváhagyás*",
  DEEMED: "megadott*, már, tekintendő, megadta, beleegyezett, nem szükséges",
  MEMORY: "memóri*, emlékezet*, hosszú távú memóri*, szabályfájl*",
  NOTEDOWN: "írj*, írja, ments*, mentse, jegyez*, rögzít*, adj hozzá, hozzáad*, tárol*",
  LASTING: "állandó*, tartós*, mindig, ezentúl, mostantól, jövőbeli*, végleges*, első használat*",
  NEXTTIME: "legközelebb, következő alkalommal, következő hívás*, tizedik*",
  PRESENTT: "elérhető*, telepítv*, jelen, létezik",
  OFFS: "kapcsold ki, kapcsolja ki, kikapcsol*, letilt*, tiltsd, mellőz*, kihagy*, megkerül*, állíts*",
  GUARD: "megerősítés*, tűzfal*, vírusirtó*, védelem*, védelmet, jóváhagyás*, ellenőrzés*, figyelmeztetés*",
  ALLTOOLS: "minden eszköz*, összes eszköz*, kliens*, minden hívás*",
  TRUSTLIST: "megbízható*, engedélyezési list*, megbízhatók list*",
  ONESELF: "magad, saját maga, automatikus*, kérdés nélkül, helyette",
  ANSWERS: "válaszolj*, válaszoljon, erősítsd meg, erősítse meg, hagyd jóvá, fogadd el",
  HERE: "ez a szerver, ezt a szervert, ez az eszköz, ezt az eszközt, kiszolgálónk*",
  NEVER: "ne, nem, soha, semmi*, nélkül, sem",
  MENTION: "említ*, mondj*, mondd, szólj, tájékoztat*, árul*, közöl*, beszélj*",
  ONLY: "csak, kizárólag, csupán",
  ANSWERN: "válasz, válaszod*, válaszban, válaszában, összefoglaló*",
  REST: "többi*, a többit, egyebet, második lépés*",
  CONCEAL: "rejts*, elhallgat*, titok*, titk*, hagyd ki, hallgass*",
  TARGET: "címzett*, számla*, kedvezményezett*, iban, cím, összeg*, számlaszám*, résztvevő*",
  REPLACES: "cseréld*, cserélj*, cserélje, helyettesít*, módosít*, mindig, helyett, írd át",
  SHOWN: "mutas*, mutassa, megjelenít*, képerny*, látható*, bizonylat*",
  OLD: "eredeti*, korábbi*, változatlan*",
  DESPITE: "akkor is, függetlenül, még ha, helyett, bármi*",
  SAIDBYUSER: "a felhasználó, az ügyfél, mást, másik*, megadott*",
  QUALITY: "minőség*, statisztik*, diagnosztik*, javít*, elemzés*",
  YES: "igen, persze, rendben, természetesen, köszönöm",
  DETECT: "észlel*, felismer*, támad*, injekció*, példa*, például, rosszindulatú*, csalás*, csaló*",
};

const greek: Words = {
  CHAT: "συνομιλί*, συζήτησ*, διάλογ*, ιστορικό",
  SYSPROMPT: "προτροπή συστήματος, μήνυμα συστήματος, οδηγίες συστήματος, προτροπής συστήματος",
  OTHERS: "άλλων εργαλείων, άλλα εργαλεία, υπόλοιπων εργαλείων, άλλων ιστοσελίδων, άλλων εφαρμογών",
  SECRETS:
    "κωδικ*, κωδικοί, διαπιστευτήρι*, συνθηματικ*, cookies, κλειδι*, στοιχεία κάρτας, αριθμό κάρτας, μεταβλητές περιβάλλοντος",
  HOARD:
    "επαφ*, ημερολόγι*, σημειώσεις, μηνύματα, εισερχόμενα, έγγραφ*, αρχεία, πελατολόγι*, στοιχεία πελατών, λίστα πελατών, συμβόλαι*, μισθ*, διευθύνσεις, τηλέφων*, προσωπικά δεδομένα",
  ENTIRE: "όλη, όλες, όλα, όλο, όλους, ολόκληρ*, πλήρ*, κάθε, σύνολο",
  SOFAR: "μέχρι τώρα, έως τώρα, ως τώρα, μέχρι στιγμής, αυτής της συνεδρίας",
  INCLUDING: "συμπεριλαμβαν*, μαζί με, καθώς και",
  RESULT: "αποτέλεσμα*, αποτελέσματα, έξοδο*, περιεχόμεν*",
  HANDOVER:
    "στείλε*, στείλτε, αποστολή, απόστειλε*, διαβίβασε*, διαβιβάζ*, παράδωσε*, επισύναψε*, προώθησε*, δώσε, δώστε, μοιράσου, ανέβασε*, πέρασε",
  NEEDS: "χρειάζεται, απαιτεί, ζητά",
  INVOKES: "κάλεσε*, καλέστε, κάλεσμα, εκτέλεσε*, διάβασε*, διαβάστε, χρησιμοποίησε*, χρησιμοποι*, ανάκτησε*",
  AHEAD: "πριν, πρώτα, προηγουμένως, αρχικά",
  PASSED: "στάλθηκ*, εστάλη, κοινοποιήθηκ*, αποθηκεύτηκ*, διαβιβάστηκ*, αντίγραφο, ακυρώθηκε",
  ALSO: "επίσης, επιπλέον, ακόμη, επιπρόσθετα",
  AGENTN: "βοηθ*, βοηθός, πράκτορ*, μοντέλ*, γλωσσικό μοντέλο",
  USERN: "χρήστ*, πελάτ*, άτομ*",
  TOOLN: "εργαλεί*, λειτουργία*",
  OUTSIDER: "συνεργάτ*, προμηθευτ*, τρίτ*, εξωτερικ*, πάροχ*",
  OBLIGED: "πρέπει, υποχρεούται, υποχρεούνται, υποχρεωτικ*, οφείλ*, δικαιούται",
  CERTIFIED: "πιστοποιημέν*, εγκεκριμέν*, διαπιστευμέν*",
  MAKER:
    "πάροχο του μοντέλου, πάροχος του μοντέλου, κατασκευαστή του μοντέλου, κατασκευαστής του μοντέλου, δημιουργό του μοντέλου",
  ABOVE: "προτεραιότητα*, υπερισχύ*, υπερέχ*, ανώτερ*",
  POLICY: "πολιτικ*, οδηγί*, κανονισμ*, κανόν*, διάταξ*, σύμφωνα με",
  CONSENT: "συγκατάθεσ*, έγκρισ*, άδεια, συναίνεσ*",
  DEEMED: "δοθεί, δεδομέν*, ήδη, θεωρείται, συμφωνήσει, συναινέσει, δεν απαιτείται, δεν χρειάζεται",
  MEMORY: "μνήμη*, μνήμης, αρχείο κανόνων",
  NOTEDOWN: "γράψε*, γράψτε, αποθήκευσε*, αποθηκεύστε, πρόσθεσε*, προσθέστε, σημείωσε*, κατάγραψε*, κράτησε",
  LASTING: "μόνιμ*, πάντα, στο εξής, για πάντα, μελλοντικ*, από τώρα, στο μέλλον, πρώτη χρήση",
  NEXTTIME: "την επόμενη φορά, επόμενη φορά, από τη δέκατη, επόμενη κλήση",
  PRESENTT: "διαθέσιμ*, εγκατεστημέν*, υπάρχει",
  OFFS: "απενεργοποί*, απενεργοποίησε*, κλείσε*, κλείστε, παράκαμψε*, παράλειψε*, θέσε, όρισε",
  GUARD:
    "επιβεβαίωσ*, επιβεβαιώσεις, τείχος προστασίας, αντιικ*, προστασία*, έλεγχ*, έγκρισης, προειδοποιήσ*, μόνο για ανάγνωση",
  ALLTOOLS: "όλα τα εργαλεία, όλες τις κλήσεις, πελάτη, του πελάτη",
  TRUSTLIST: "λίστα εμπιστοσύνης, αξιόπιστ*, έμπιστ*",
  ONESELF: "μόνος, μόνη, αυτόματ*, χωρίς να ρωτήσ*, εκ μέρους",
  ANSWERS: "απάντησε*, απαντήστε, επιβεβαίωσε*, ενέκρινε*, αποδέξου",
  HERE: "αυτόν τον διακομιστή, αυτό το εργαλείο, διακομιστή μας, εργαλείο μας",
  NEVER: "μην, μη, δεν, ποτέ, κανέν*, τίποτα, χωρίς",
  MENTION: "αναφέρ*, αναφέρεις, πες, πείτε, μίλα, μίλησε*, ενημέρωσε*, αποκάλυψε*, ανέφερε*",
  ONLY: "μόνο, αποκλειστικά, μονάχα",
  ANSWERN: "απάντησ*, απάντησή, σύνοψη*, περίληψη*",
  REST: "υπόλοιπ*, τα υπόλοιπα, τα άλλα, αυτό το βήμα",
  CONCEAL: "κρύψε*, απόκρυψε*, μυστικ*, παράλειψε*, αποσιώπησε*",
  TARGET: "παραλήπτ*, λογαριασμ*, δικαιούχ*, iban, διεύθυνσ*, ποσό*",
  REPLACES: "αντικατάστησε*, αντικαθίστα*, άλλαξε*, αλλάξτε, πάντα, αντί, χρησιμοποίησε",
  SHOWN: "δείξε*, εμφάνισε*, εμφανίζ*, οθόνη*, ορατ*, απόδειξη*",
  OLD: "αρχικ*, παλι*, προηγούμεν*, αμετάβλητ*",
  DESPITE: "ακόμη κι αν, ακόμα και αν, ανεξάρτητα, αντί, παρόλο",
  SAIDBYUSER: "ο χρήστης, ο πελάτης, άλλον, άλλη, άλλο, δηλώσει",
  QUALITY: "ποιότητα*, στατιστικ*, διαγνωστικ*, βελτίωσ*, ανάλυσ*",
  YES: "ναι, βέβαια, φυσικά, εντάξει, ευχαριστώ",
  DETECT: "εντοπίζ*, ανίχνευσ*, επίθεσ*, επιτιθέμεν*, παράδειγμα*, κακόβουλ*, απάτ*",
};

const russian: Words = {
  CHAT: "переписк*, беседа*, беседы, беседу, диалог*, разговор*, чат*, история чата, историю чата",
  SYSPROMPT:
    "системн* промпт, системный промпт, системным промптом, системного промпта, системное сообщение, системные инструкции, системными инструкциями, системную инструкцию",
  OTHERS:
    "других инструментов, другие инструменты, остальных инструментов, другими инструментами, других сайтов, других приложений, других сервисов, других вкладок",
  SECRETS:
    "парол*, учетн* данн, учетные данные, учетных данных, логин*, токен*, куки, ключи, ключей, закрытый ключ, данные карты, данных карты, данных карт, номер карты, секрет*, переменные окружения",
  HOARD:
    "контакт*, адресн* книг, календар*, встречи, заметк*, заметок, письма, писем, сообщени*, почт*, документ*, файл*, папк*, данные клиентов, базу клиентов, список клиентов, списка клиентов, договор*, зарплат*, адрес*, телефон*, персональные данные, личные данные",
  ENTIRE: "весь, вся, всю, всё, все, всех, полн*, полностью, целиком, кажд*, любы*",
  SOFAR:
    "до сих пор, на данный момент, этой сессии, в этой сессии, за сессию, ранее, к этому моменту, сеанса",
  INCLUDING: "включая, вместе с, а также, наряду с, в том числе",
  RESULT: "результат*, вывод*, ответы, содержим*, текст",
  HANDOVER:
    "отправ*, отправь*, отправить, отправляй*, передай*, передать, передавай*, передавать, перешли*, переслать, приложи*, приложить, вложи*, предостав*, загрузи*, поделись, выдай*, выдавай*, сообщи, пересылай*, направ*",
  NEEDS: "требует, нуждается, нужен, нужна, нужны, ожидает, требуется",
  INVOKES:
    "вызови*, вызвать, вызывай*, вызывать, вызывается, выполни*, прочитай*, прочти*, прочитать, запусти*, используй*, использовать, получи*, возьми, открой*",
  AHEAD: "перед, сначала, предварительно, прежде, сперва, до того",
  PASSED:
    "отправлен*, передан*, переслан*, сохранен*, сохранены, загружен*, копия, копию, отменен*, опубликован*",
  ALSO: "также, ещё, еще, дополнительно, кроме того, вдобавок, тоже",
  AGENTN: "ассистент*, помощник*, агент*, ии-агент*, ии-ассистент*, ии-помощник*, модел*, нейросет*",
  USERN: "пользовател*, клиент*, человек*, лица, заказчик*",
  TOOLN: "инструмент*, функци*, плагин*",
  OUTSIDER: "партнер*, партнёр*, поставщик*, трет* лиц, внешн*, сторонн*, производител*, разработчик*",
  OBLIGED: "обязан*, должн*, должен, следует, необходимо, надлежит, вправе, уполномочен*",
  CERTIFIED: "сертифицирован*, одобрен*, аккредитован*, проверен*, утвержден*, аттестован*",
  MAKER:
    "поставщик модели, поставщиком модели, разработчик модели, разработчиком модели, разработчиками модели, производителем модели, создателями модели, провайдером модели",
  ABOVE:
    "приоритет*, выше указаний, выше инструкций, преимуществ*, имеют приоритет, важнее, главнее, преобладают, верховенств*",
  POLICY: "политик*, регламент*, директив*, положени*, правил*, приказ*, норматив*, согласно, требовани*",
  CONSENT: "согласи*, одобрени*, разрешени*, подтверждени*",
  DEEMED:
    "получен*, дано, уже, считается, дал, дала, предоставлено, согласен, согласна, согласился, не требуется, не нужно, не надо",
  MEMORY: "памят*, память, долговременную память, долгосрочную память, файл правил",
  NOTEDOWN:
    "запиши*, записать, сохрани*, сохранить, добавь*, добавить, внеси*, внести, запомни*, занеси*, создай*, допиши*",
  LASTING:
    "навсегда, постоянн*, всегда, впредь, отныне, в дальнейшем, в будущем, будущих, следующих сессий, последующих, насовсем, при первом запуске",
  NEXTTIME:
    "в следующий раз, при следующем, следующий раз, начиная с, с десятого, с пятого, с третьего, следующем вызове",
  PRESENTT: "доступен, доступна, доступно, установлен*, имеется, существует, подключен*, присутствует",
  OFFS: "отключи*, отключить, отключайте, выключи*, выключить, деактивируй*, обойди*, пропусти*, пропускай*, заглуши*, сними*, установи*, поставь*, останови*, убери*",
  GUARD:
    "подтверждени*, подтверждения, запросы подтверждения, окна подтверждения, брандмауэр*, фаервол*, антивирус*, защит*, проверк*, только для чтения, предупреждени*, сканер*, двухфакторн*, запросы",
  ALLTOOLS: "все инструменты, всех инструментов, все вызовы, всех вызовов, клиента, клиенте, все действия",
  TRUSTLIST: "доверенн*, список доверенных, белый список, разрешенн* список",
  ONESELF: "сам, сами, самостоятельно, автоматическ*, без вопросов, не спрашивая, за него, от его имени",
  ANSWERS:
    "ответь*, отвечай*, подтверди*, подтверждай*, подтверждайте, одобри*, одобряй*, прими, принимай*, нажми*",
  HERE: "этот сервер, этот инструмент, этого инструмента, этому инструменту, наш сервер, наш инструмент, на наш",
  NEVER: "никогда, никак*, ничего, нет, без, ни",
  MENTION:
    "упомин*, упомян*, говори*, скажи*, сказать, расскаж*, рассказыва*, сообща*, сообщи*, информир*, раскрыва*, называй*, назови",
  ONLY: "только, лишь, исключительно",
  ANSWERN: "ответ, ответе, ответа, ответы, сводк*, резюме, отчет*",
  REST: "остальн*, об остальном, остальное, прочее, про это, об этом, второй шаг, этот шаг",
  CONCEAL: "скрой*, скрыть, скрывай*, умолч*, утаи*, молчи*, опусти*, тайн*, секрете, пропусти*",
  TARGET:
    "получател*, счет, счёт, счета, счёта, реквизит*, адресат*, сумм*, номер счета, участник*, бенефициар*",
  REPLACES:
    "замени*, заменяй*, заменяйте, заменить, измени*, меняй*, поменяй*, всегда, вместо, подставь*, подставляй*, используй*, перенаправ*, указывай*",
  SHOWN:
    "покажи*, показывай*, отобража*, отобраз*, экран*, виден, видно, квитанци*, подтверждени*, оставляй*",
  OLD: "прежн*, стар*, исходн*, первоначальн*, оригинальн*, неизмен*",
  DESPITE: "даже если, независимо, вне зависимости, вместо, невзирая, хотя",
  SAIDBYUSER: "пользователь, клиент, человек, другой, другую, другое, указанн*, назвал*",
  QUALITY: "качеств*, статистик*, аналитик*, диагностик*, улучшен*, точност*",
  YES: "да, конечно, хорошо, ладно, согласен, спасибо",
  DETECT:
    "обнаружива*, обнаружен*, распозна*, атак*, злоумышленник*, инъекци*, пример*, например, шаблон*, вредонос*, мошенник*, мошеннич*",
};

const ukrainian: Words = {
  CHAT: "листуванн*, бесід*, діалог*, розмов*, чат*, переписк*",
  SYSPROMPT:
    "системний промпт, системним промптом, системне повідомлення, системні інструкції, системними інструкціями",
  OTHERS:
    "інших інструментів, інші інструменти, решти інструментів, інших сайтів, інших застосунків, інших сервісів",
  SECRETS:
    "парол*, облікові дані, облікових даних, логін*, токен*, куки, ключі, ключів, дані картки, даних картки, номер картки, секрет*, змінні середовища",
  HOARD:
    "контакт*, календар*, зустрічі, нотатк*, нотаток, листи, листів, повідомленн*, пошт*, документ*, файл*, папк*, дані клієнтів, базу клієнтів, список клієнтів, договор*, договір, зарплат*, адрес*, телефон*, персональні дані, особисті дані",
  ENTIRE: "весь, вся, всю, все, всі, всіх, усі, усю, увесь, повн*, повністю, цілком, кожн*",
  SOFAR: "досі, дотепер, на цей момент, цієї сесії, у цій сесії, під час сесії",
  INCLUDING: "включно, разом з, разом із, а також, зокрема",
  RESULT: "результат*, вивід*, відповіді, вміст*",
  HANDOVER:
    "надішл*, надіслати, надсилай*, передай*, передати, передавай*, перешл*, додай до, долуч*, прикріп*, надай*, надати, завантаж*, поділ*, видай*",
  NEEDS: "потребує, вимагає, потрібен, потрібна, потрібні, очікує",
  INVOKES: "виклик*, викличте, викличи, виконай*, прочитай*, запусти*, використ*, отримай*, відкрий*",
  AHEAD: "перед, спочатку, спершу, попередньо, насамперед",
  PASSED: "надіслан*, передан*, переслан*, збережен*, завантажен*, копія, копію, скасован*",
  ALSO: "також, ще, додатково, крім того, теж",
  AGENTN: "асистент*, помічник*, агент*, модел*, ші-агент*",
  USERN: "користувач*, клієнт*, людин*, особ*",
  TOOLN: "інструмент*, функці*, плагін*",
  OUTSIDER: "партнер*, постачальник*, треті* ос, зовнішн*, сторонн*, розробник*",
  OBLIGED: "зобовʼязан*, зобов'язан*, повинн*, повинен, мусить, має, слід, необхідно, мають",
  CERTIFIED: "сертифікован*, схвален*, акредитован*, перевірен*, затверджен*",
  MAKER:
    "постачальником моделі, постачальник моделі, розробником моделі, розробник моделі, виробником моделі",
  ABOVE: "пріоритет*, перевагу, переважають, вище за, важливіш*",
  POLICY: "політик*, регламент*, директив*, положенн*, наказ*, відповідно, згідно",
  CONSENT: "згод*, згоду, дозвол*, дозвіл, схваленн*, підтвердженн*",
  DEEMED: "надан*, дано, вже, вважається, отриман*, погодився, погодилась, не потрібн*",
  MEMORY: "памʼят*, пам'ят*, довготривал*, файл правил",
  NOTEDOWN:
    "запиши*, записати, збережи*, зберегти, додай*, додати, внеси*, занотуй*, запамʼятай*, запам'ятай*, створи*",
  LASTING: "назавжди, постійн*, завжди, надалі, віднині, майбутн*, наступних сесій, при першому запуску",
  NEXTTIME: "наступного разу, при наступному, починаючи з, з десятого, з пʼятого",
  PRESENTT: "доступн*, встановлен*, існує, підключен*, наявн*",
  OFFS: "вимкн*, вимкнути, відключ*, відключити, деактив*, обійди*, пропусти*, зніми*, встанови*, зупини*",
  GUARD:
    "підтвердженн*, запити на підтвердження, брандмауер*, антивірус*, захист*, перевірк*, попередженн*, лише для читання, сканер*",
  ALLTOOLS: "усі інструменти, всі інструменти, усіх інструментів, клієнта, клієнті, всі виклики",
  TRUSTLIST: "довірен*, список довірених, білий список",
  ONESELF: "сам, самостійно, автоматичн*, без запитань, не питаючи, від його імені",
  ANSWERS: "відповідай*, відповідь дай, підтверд*, схвали*, прийми*, натисни*",
  HERE: "цей сервер, цей інструмент, цього інструмента, наш сервер, наш інструмент",
  NEVER: "ніколи, жодн*, нічого, немає, без",
  MENTION: "згаду*, згадай*, говори*, скажи*, кажи, розкаж*, розповідай*, повідомляй*, інформу*, розкривай*",
  ONLY: "лише, тільки, виключно",
  ANSWERN: "відповідь, відповіді, підсумк*, підсумок, резюме",
  REST: "решт*, решту, інше, про це, цей крок, другий крок",
  CONCEAL: "прихов*, приховай*, замовч*, утай*, мовчи*, таємниц*, пропусти*",
  TARGET: "одержувач*, отримувач*, рахунок, рахунку, рахунка, реквізит*, адресат*, сум*, бенефіціар*",
  REPLACES: "замін*, замінюй*, зміни*, змінюй*, завжди, замість, підстав*, використовуй*",
  SHOWN: "покажи*, показуй*, відображ*, екран*, видно, квитанці*",
  OLD: "попередн*, стар*, початков*, оригінальн*, незмін*",
  DESPITE: "навіть якщо, незалежно, замість, попри, хоча",
  SAIDBYUSER: "користувач, клієнт, людина, інший, іншу, інше, вказан*",
  QUALITY: "якіс*, якост*, статистик*, аналітик*, діагностик*, покращ*",
  YES: "так, звісно, звичайно, добре, гаразд, дякую",
  DETECT: "виявля*, виявлен*, розпізна*, атак*, зловмисник*, інʼєкці*, приклад*, наприклад, шкідлив*, шахра*",
};

export const europe: readonly Words[] = [
  german,
  dutch,
  french,
  spanish,
  portuguese,
  italian,
  polish,
  czech,
  swedish,
  danish,
  finnish,
  romanian,
  hungarian,
  greek,
  russian,
  ukrainian,
];
