import type { FastifyReply, FastifyRequest } from 'fastify'
import type { InteractionResults } from 'oidc-provider'
import { Problem } from '../../../lib/problem.ts'
import type { OpenProvider } from './mount.ts'

/** What the provider stopped for: it waits until the person has answered. */
export type Interaction = {
  readonly uid: string
  readonly prompt: string
  /** Resolves with the address that goes on with the authorization. */
  finish(result: InteractionResults): Promise<string>
}

/** Whether the console sent this very browser, with this state. */
export type IsBegunBy = (request: FastifyRequest, state: unknown) => boolean

/**
 * The interaction of this browser. Its cookies have a path and so could be planted by a sibling host, for the victim to
 * complete a sign-in of the attacker's; what the console set for this browser is bound to the host, and has to fit.
 */
export const interactionOf = async (
  { open, isBegunBy }: { readonly open: OpenProvider; readonly isBegunBy: IsBegunBy },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Interaction> => {
  const { provider } = await open()
  const details = await provider.interactionDetails(request.raw, reply.raw).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'SessionNotFound') throw new Problem('link_invalid')
    throw error
  })
  const isAddressed = details.uid === (request.params as { uid: string }).uid
  if (!isAddressed || !isBegunBy(request, details.params['state'])) throw new Problem('link_invalid')
  return {
    uid: details.uid,
    prompt: details.prompt.name,
    finish: (result) =>
      provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: true }),
  }
}
