import { CertificateCode, type Mode, modes } from '@millseal/contract'
import { markup } from '@millseal/families'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { builtAddress, builtText } from '../console/built-files.ts'
import { browserErrors } from '../page-errors.ts'
import { pageLanguageOf } from '../pages/page-language.ts'
import { sendElementPage, withAttributes, withScript } from './element-page.ts'
import { registerVerifyFiles, styleOfVerifyPage } from './verify-files.ts'

const path = '/verify'
const unlimited = { config: { unlimited: true } } as const

const title = 'Verify a certificate'

export type VerifyPageDependencies = {
  /** The key of a log, with which the page checks bundles if the server cannot be reached later. */
  readonly logKey: (mode: Mode) => Promise<string | undefined>
  readonly publicUrl: () => string
  /** Addresses of nodes, which the page asks if this server does not answer or has no proof. */
  readonly verifyNodes: readonly string[]
  /** Those that can be opened here. */
  readonly findSamples: () => Promise<readonly string[]>
}

/** One script and no other file; connections only back to this server, and to nodes. The page shows the PDF from memory. */
const policyOf = (style: string, nodes: readonly string[]): string =>
  [
    "default-src 'none'",
    style,
    'frame-src blob:',
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "script-src 'self'",
    ["connect-src 'self'", ...nodes.map((url) => new URL(url).origin)].join(' '),
  ].join('; ')

/** The browser checks the file and never uploads it. The codes on older papers have a hash in the fragment. */
export const registerVerifyPage = (server: FastifyInstance, deps: VerifyPageDependencies): void => {
  server.get<{ Querystring: { mode?: unknown; sample?: unknown } }>(
    path,
    unlimited,
    async (request, reply) => {
      const { mode, sample } = request.query
      if (sample !== undefined && (await deps.findSamples()).some((one) => one === sample))
        return sendPage(deps, { request, reply, attributes: { mode: 'test' }, script: 'verify/sample.ts' })
      return sendPage(deps, {
        request,
        reply,
        attributes: modes.some((one) => one === mode) ? { mode: String(mode) } : {},
      })
    },
  )
  registerCodePage(server, deps)
  registerVerifyFiles(server, { ...deps, logKeys: () => logKeysOf(deps) })
}

/** The QR code of a certificate opens this page, which looks the code up. */
const registerCodePage = (server: FastifyInstance, deps: VerifyPageDependencies): void => {
  server.get<{ Params: { code: string } }>(
    '/v/:code',
    {
      ...unlimited,
      schema: { params: { type: 'object', properties: { code: CertificateCode } } },
      errorHandler: showMalformedCode,
    },
    async (request, reply) => sendPage(deps, { request, reply, attributes: { code: request.params.code } }),
  )
}

type Asked = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly attributes: Readonly<Record<string, string>>
  /** A source file of the console, which runs after the element. */
  readonly script?: string
}

const logKeysOf = async ({ logKey }: VerifyPageDependencies): Promise<readonly string[]> => {
  const keys = await Promise.all(modes.map((mode) => logKey(mode).catch(() => undefined)))
  return keys.flatMap((key) => key?.trim() ?? [])
}

const sendPage = async (
  deps: VerifyPageDependencies,
  { request, reply, attributes, script }: Asked,
): Promise<FastifyReply> => {
  const known = (await logKeysOf(deps)).join(' ')
  const html = withAttributes(builtText('verify/page.html'), {
    ...attributes,
    lang: pageLanguageOf(request),
    keys: known,
    nodes: deps.verifyNodes.join(' '),
  })
  reply
    .header('content-security-policy', policyOf(styleOfVerifyPage(), deps.verifyNodes))
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'same-origin')
  return sendElementPage(request, reply, script === undefined ? html : withScript(html, builtAddress(script)))
}

/** A browser gets a page; other clients get the error in JSON. */
const showMalformedCode = browserErrors(({ code }) =>
  code === 'validation_failed'
    ? {
        title,
        text: 'The address has no valid code: after /v/ there must be 22 characters. Scan the QR code again, or compare the address with the paper.',
        action: markup`<p>If you have the PDF or JSON file, <a href="${path}">verify the file</a>.</p>`,
      }
    : undefined,
)
