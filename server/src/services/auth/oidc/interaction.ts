import type { FastifyReply, FastifyRequest } from 'fastify'
import type { InteractionResults } from 'oidc-provider'
import { type PageLanguage, pageLanguageOf } from '../../../http/pages/page-language.ts'
import { Problem } from '../../../lib/problem.ts'
import { isStateOf } from '../sessions/browser-secret.ts'
import { signInCookie } from '../sessions/cookies.ts'
import type { AuthDependencies } from '../dependencies.ts'
import type { OpenProvider } from './open-provider.ts'

/** A question of the provider that the person has to answer. */
export type Interaction = {
  readonly uid: string
  readonly prompt: string
  /** Of the person. */
  readonly language: PageLanguage
  /** Returns the address where the authorization continues. */
  finish(result: InteractionResults): Promise<string>
}

/**
 * Returns the interaction of this browser. A sibling host could plant the provider's cookies, to make a victim complete a
 * sign-in of an attacker. The console's own cookie is bound to the host, so the interaction must match it.
 */
export const interactionOf = async (
  deps: AuthDependencies,
  open: OpenProvider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Interaction> => {
  const { provider } = await open()
  const details = await provider.interactionDetails(request.raw, reply.raw).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'SessionNotFound') throw new Problem('link_invalid')
    throw error
  })
  const isAddressed = details.uid === (request.params as { uid: string }).uid
  if (!isAddressed || !isBegunBy(deps, request, details.params['state'])) throw new Problem('link_invalid')
  return {
    uid: details.uid,
    prompt: details.prompt.name,
    language: pageLanguageOf(request),
    finish: (result) =>
      provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: true }),
  }
}

/** Whether the console sent this browser to the provider, with this state. */
const isBegunBy = ({ publicUrl }: AuthDependencies, { headers }: FastifyRequest, state: unknown): boolean => {
  const browser = signInCookie(publicUrl()).read(headers.cookie)
  return browser !== undefined && isStateOf(browser, state)
}
