import type { FastifyInstance } from 'fastify'
import { sendHtmlPage } from '../../../http/html-page.ts'
import { signInErrors } from '../pages/sign-in-errors.ts'
import { codePage, consentPage, passwordPage } from '../pages/sign-in-pages.ts'
import { interactionOf } from './interaction.ts'
import { mountInteractionForms, ownForms } from './interaction-forms.ts'
import type { BuiltInIssuerDependencies, OpenProvider } from './mount.ts'
import { createProver } from './prove-user.ts'

type Dependencies = BuiltInIssuerDependencies & { readonly open: OpenProvider }

const pagesPerMinute = 60

/** The pages between the console's request and the provider's answer: password, code, and consent where it is asked for. */
export const mountInteractions = (server: FastifyInstance, deps: Dependencies): void => {
  const address = '/oidc/interaction/:uid'
  const prover = createProver(deps)
  const formOf = ownForms(deps.open)
  const errorHandler = signInErrors(deps.publicUrl)
  const limited = { bucket: 'oidc.page', perMinute: pagesPerMinute }
  server.get(
    address,
    { config: { limited }, exposeHeadRoute: false, errorHandler },
    async (request, reply) => {
      const interaction = await interactionOf(deps, request, reply)
      if (interaction.prompt === 'consent') {
        return sendHtmlPage(reply, consentPage(await formOf(interaction, 'consent')))
      }
      return (await prover.awaitsCode(interaction.uid))
        ? sendHtmlPage(reply, codePage(await formOf(interaction, 'code')))
        : sendHtmlPage(reply, passwordPage(await formOf(interaction, 'password')))
    },
  )
  mountInteractionForms(server, { ...deps, address, prover, formOf, errorHandler })
}
