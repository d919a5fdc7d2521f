import assert from 'node:assert/strict'
import type { TestServer } from './test-server.ts'

/** The newest link of an invitation in the mails to this address. */
export const invitationLink = async (server: TestServer, email: string, mails = 1): Promise<URL> => {
  const found = await server.mailsTo(email, mails, /invitation\?/)
  return new URL(
    /https?:\/\/\S+\/invitation\?token=[\w-]+/.exec(found.at(-1) ?? '')?.[0] ?? assert.fail('no link'),
  )
}

export const invitationToken = async (server: TestServer, email: string, mails = 1): Promise<string> =>
  (await invitationLink(server, email, mails)).searchParams.get('token') ?? assert.fail('no token')
