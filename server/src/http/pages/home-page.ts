import type { IncomingHttpHeaders } from 'node:http'
import { type Markup, markup } from '@millseal/families'
import type { FastifyInstance } from 'fastify'
import { sendHtmlPage } from '../html-page.ts'
import { verifyElementAddress } from '../verify-page/verify-files.ts'
import { unlimited } from './form.ts'
import { homeWords } from './home-words.ts'
import { type PageLanguage, pageLanguageOf } from './page-language.ts'
import { paths } from './links.ts'

export type HomePage = {
  /** Whether the browser has a session cookie; the session may have ended. */
  readonly hasSession: (headers: IncomingHttpHeaders) => boolean
  /** False if people sign in at an external issuer, which creates their accounts. */
  readonly canRegister: boolean
  readonly operatorName: string | undefined
  /** The samples that can be opened now. */
  readonly findSamples: () => Promise<readonly Sample[]>
}

type Sample = 'genuine' | 'changed' | 'withdrawn'

/** The first page of the installation: for people who are not signed in. Others get the console. */
export const registerHomePage = (server: FastifyInstance, home: HomePage): void => {
  server.get('/', unlimited, async (request, reply) => {
    if (home.hasSession(request.headers))
      return reply.header('cache-control', 'no-store').redirect(paths.console, 302)
    const language = pageLanguageOf(request)
    return sendHtmlPage(reply, {
      title: 'Millseal',
      main: content(home, language, await home.findSamples()),
      language,
      isWide: true,
      verifyElement: verifyElementAddress(),
    })
  })
}

const content = (
  { canRegister, operatorName }: HomePage,
  language: PageLanguage,
  samples: readonly Sample[],
): Markup => {
  const t = homeWords[language]
  return markup`<h1>${t.heading}</h1>
<p class="lead">${t.lead}</p>
<div class="home">
<section class="card verify">
<millseal-verify lang="${language}"><h2>${t.verify}</h2>
<p>${t.verifyText}</p>
<a class="button" href="${paths.verify}">${t.verify}</a></millseal-verify>
</section>
<div class="aside">
${samples.length === 0 ? undefined : samplesOf(samples, language)}
<section class="card">
<h2>${t.work}</h2>
<p>${t.workText}</p>
<a class="button second" href="${paths.signIn}">${t.signIn}</a>
${canRegister ? markup`<a class="button second" href="${paths.register}">${t.register}</a>` : undefined}
</section>
</div>
<section class="about">
<h2>${t.about}</h2>
<p class="lead">${t.aboutText}</p>
<p class="muted small">${operatorName === undefined ? undefined : t.operator(operatorName)} <a href="${paths.guide}">${t.guide}</a>. ${t.developers}: <a href="${paths.reference}">${t.reference}</a>, <a href="/openapi.json">OpenAPI</a>, <a href="/asyncapi.json">AsyncAPI</a></p>
</section>
</div>`
}

/** Each leads to the page that verifies any file. */
const samplesOf = (samples: readonly Sample[], language: PageLanguage): Markup => {
  const t = homeWords[language]
  return markup`<section class="card">
<h2>${t.samples}</h2>
<p>${t.samplesText}</p>
<ul class="links">
${samples.map((sample) => markup`<li><a href="${paths.verify}?sample=${sample}">${t.sample[sample]}</a></li>`)}
</ul>
</section>`
}
