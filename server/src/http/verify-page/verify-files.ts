import type { FastifyInstance } from 'fastify'
import { builtFiles, builtText, sendBuiltFile } from '../console/built-files.ts'
import { allowAnyOrigin } from '../cors.ts'
import { sendElementPage, withAttributes } from './element-page.ts'

const unlimited = { config: { unlimited: true } } as const
const yearSeconds = 31_536_000
const script = 'millseal-verify.js'

type Built = { readonly version: string; readonly integrity: string; readonly style: string }

/** The trust of a saved page: keys of logs, or a policy as JSON. */
type Saved = { readonly keys: readonly string[] } | { readonly policy: string }

/** The page to save. Without trust of its own, its reader chooses a policy. */
export const offlineVerifyPage = (saved?: Saved): string => {
  const html = builtText('verify/offline.html')
  if (saved === undefined) return html
  return withAttributes(html, 'keys' in saved ? { keys: saved.keys.join(' ') } : saved)
}

const built = (): Built => JSON.parse(builtText('verify/integrity.json')) as Built

/** Allows the typeface in the page, as part of its content security policy. */
export const styleOfVerifyPage = (): string => built().style

/** The address of the element for a page of ours. It asks the server that it came from. */
export const verifyElementAddress = (): string => `/verify/${script}?v=${built().version}`

/** The element as one script, which other sites may load, and the page that works without a server. */
export const registerVerifyFiles = (
  server: FastifyInstance,
  {
    publicUrl,
    logKeys,
  }: { readonly publicUrl: () => string; readonly logKeys: () => Promise<readonly string[]> },
): void => {
  server.get<{ Querystring: { v?: unknown } }>(`/verify/${script}`, unlimited, async (request, reply) => {
    const file = builtFiles().get(`verify/${script}`)
    if (file === undefined) return reply.callNotFound()
    const isThisVersion = request.query.v === built().version
    allowAnyOrigin(reply)
    reply
      .header('cross-origin-resource-policy', 'cross-origin')
      .header(
        'cache-control',
        isThisVersion ? `public, max-age=${yearSeconds}, immutable` : 'public, max-age=300',
      )
    return sendBuiltFile(request, reply, file)
  })
  server.get('/verify/offline', unlimited, async (request, reply) => {
    reply
      .header('content-disposition', 'attachment; filename="verify.html"')
      .header('cache-control', 'no-cache')
    return sendElementPage(request, reply, offlineVerifyPage({ keys: await logKeys() }))
  })
  server.get('/verify/embed', unlimited, async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(snippet(publicUrl(), built().integrity)),
  )
}

/** For the page of another site. A site that serves the script itself names the server in an attribute. */
const snippet = (server: string, integrity: string): string =>
  `<script type="module" src="${server}/verify/${script}" integrity="${integrity}" crossorigin="anonymous"></script>
<millseal-verify server="${server}"></millseal-verify>
`
