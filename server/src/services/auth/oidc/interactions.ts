import type { FastifyInstance } from 'fastify'
import { sendHtmlPage } from '../../../http/html-page.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { signInErrors } from '../pages/sign-in-errors.ts'
import { codePage, consentPage, passwordPage } from '../pages/sign-in-pages.ts'
import { interactionOf } from './interaction.ts'
import { formOf, interactionAddress, mountInteractionForms, pageFormOf } from './interaction-forms.ts'
import type { OpenProvider } from './open-provider.ts'
import { awaitsCode } from './prove-user.ts'

const limited = { bucket: 'oidc.page', perMinute: 60 }

/** The pages of a sign-in with the provider: password, code, and consent if the console requests it. */
export const mountInteractions = (
  server: FastifyInstance,
  deps: AuthDependencies,
  open: OpenProvider,
): void => {
  server.get(
    interactionAddress,
    { config: { limited }, exposeHeadRoute: false, errorHandler: signInErrors(deps.publicUrl) },
    async (request, reply) => {
      const interaction = await interactionOf(deps, open, request, reply)
      if (interaction.prompt === 'consent') {
        return sendHtmlPage(reply, consentPage(await formOf(open, interaction, 'consent')))
      }
      return (await awaitsCode(deps, interaction.uid))
        ? sendHtmlPage(reply, codePage(await pageFormOf(deps, open, interaction, 'code')))
        : sendHtmlPage(reply, passwordPage(await pageFormOf(deps, open, interaction, 'password')))
    },
  )
  mountInteractionForms(server, deps, open)
}
