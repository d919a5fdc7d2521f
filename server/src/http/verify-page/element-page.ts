import { markup } from '@millseal/families'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createCompressedPages } from './compressed-pages.ts'

const element = '<millseal-verify page'
const compressed = createCompressedPages()

/** A page around the element, with further attributes of the element. */
export const withAttributes = (html: string, attributes: Readonly<Record<string, string>>): string => {
  const written = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${markup`${value}`.toString()}"`,
  )
  return html.replace(element, () => element + written.join(''))
}

/** The page with a further script, at its end. */
export const withScript = (html: string, address: string): string =>
  html.replace('</body>', () => `<script type="module" src="${address}"></script>\n</body>`)

/** Compressed, if the client reads that. */
export const sendElementPage = (request: FastifyRequest, reply: FastifyReply, html: string): FastifyReply => {
  reply.type('text/html; charset=utf-8').header('vary', 'accept-encoding')
  if (!/\bbr\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(html)
  return reply.header('content-encoding', 'br').send(compressed(html))
}
