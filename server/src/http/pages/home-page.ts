import type { IncomingHttpHeaders } from 'node:http'
import { type Markup, markup } from '@millseal/families'
import type { FastifyInstance } from 'fastify'
import { sendHtmlPage } from '../html-page.ts'
import { verifyElementAddress } from '../verify-page/verify-files.ts'
import { unlimited } from './form.ts'
import { type PageLanguage, pageLanguageOf } from './page-language.ts'
import { paths } from './links.ts'

export type HomePage = {
  /** Whether the browser has a session cookie; the session may have ended. */
  readonly hasSession: (headers: IncomingHttpHeaders) => boolean
  /** False if people sign in at an external issuer, which creates their accounts. */
  readonly canRegister: boolean
  readonly operatorName: string | undefined
}

const words = {
  en: {
    heading: 'Material certificates that anyone can verify',
    about: [
      'A mill notarizes its certificates here: it records the hash of each one, signed with a key of its own, on a ledger to which entries can only be added.',
      'Anyone who receives a certificate can verify that it is the one that was issued and that nothing in it has changed.',
      'That takes no account, and the file never leaves the browser.',
    ],
    verify: 'Verify a certificate',
    verifyText: 'You received a PDF or JSON file, or a paper with a QR code.',
    work: 'Notarize certificates',
    workText: 'You issue certificates, or receive them regularly.',
    signIn: 'Sign in',
    register: 'Register',
    operator: (name: string) => `Operated by ${name}.`,
    developers: 'For developers',
    guide: 'Documentation',
    reference: 'API reference',
  },
  de: {
    heading: 'Werkstoffzeugnisse, die jeder prüfen kann',
    about: [
      'Ein Werk notarisiert hier seine Zeugnisse: Es trägt den Hashwert jedes Zeugnisses, mit einem eigenen Schlüssel signiert, in ein Ledger ein, dem sich nur Einträge hinzufügen lassen.',
      'Wer ein Zeugnis erhält, kann prüfen, dass es so ausgestellt wurde und nichts darin geändert ist.',
      'Dafür braucht niemand ein Konto, und die Datei verlässt den Browser nicht.',
    ],
    verify: 'Zeugnis prüfen',
    verifyText: 'Sie haben eine PDF- oder JSON-Datei erhalten oder ein Papier mit QR-Code.',
    work: 'Zeugnisse notarisieren',
    workText: 'Sie stellen Zeugnisse aus oder erhalten regelmäßig welche.',
    signIn: 'Anmelden',
    register: 'Registrieren',
    operator: (name: string) => `Betrieben von ${name}.`,
    developers: 'Für Entwickler',
    guide: 'Dokumentation (englisch)',
    reference: 'API-Referenz',
  },
} satisfies Record<PageLanguage, unknown>

/** The first page of the installation: for people who are not signed in. Others get the console. */
export const registerHomePage = (server: FastifyInstance, home: HomePage): void => {
  server.get('/', unlimited, async (request, reply) => {
    if (home.hasSession(request.headers))
      return reply.header('cache-control', 'no-store').redirect(paths.console, 302)
    const language = pageLanguageOf(request)
    return sendHtmlPage(reply, {
      title: 'Millseal',
      main: content(home, language),
      language,
      isWide: true,
      verifyElement: verifyElementAddress(),
    })
  })
}

const content = ({ canRegister, operatorName }: HomePage, language: PageLanguage): Markup => {
  const t = words[language]
  return markup`<h1>${t.heading}</h1>
<p class="lead">${t.about.join(' ')}</p>
<div class="ways">
<section class="card">
<millseal-verify lang="${language}"><h2>${t.verify}</h2>
<p>${t.verifyText}</p>
<a class="button" href="${paths.verify}">${t.verify}</a></millseal-verify>
</section>
<section class="card">
<h2>${t.work}</h2>
<p>${t.workText}</p>
<a class="button second" href="${paths.signIn}">${t.signIn}</a>
${canRegister ? markup`<a class="button second" href="${paths.register}">${t.register}</a>` : undefined}
</section>
</div>
<p class="muted small">${operatorName === undefined ? undefined : t.operator(operatorName)} <a href="${paths.guide}">${t.guide}</a>. ${t.developers}: <a href="/docs">${t.reference}</a>, <a href="/openapi.json">OpenAPI</a>, <a href="/asyncapi.json">AsyncAPI</a></p>`
}
