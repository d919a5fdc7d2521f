import type { FastifyReply } from 'fastify'

/**
 * Public operations answer every web origin, errors included. Credentials stay forbidden: the operations need none, and
 * browsers reject the wildcard together with credentials.
 */
export const allowAnyOrigin = (reply: FastifyReply): void => {
  reply.header('access-control-allow-origin', '*')
  reply.header(
    'access-control-expose-headers',
    'x-request-id, x-error, x-notes, x-notes-text, millseal-confirmed, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, retry-after',
  )
}

const ourHeaders = 'content-type, authorization, company, x-version'

export const answerPreflight = (
  reply: FastifyReply,
  { methods, headers = ourHeaders }: { readonly methods: readonly string[]; readonly headers?: string },
): void => {
  allowAnyOrigin(reply)
  reply
    .header('access-control-allow-methods', methods.join(', '))
    .header('access-control-allow-headers', headers)
    .header('access-control-max-age', '86400')
    .code(204)
    .send()
}
