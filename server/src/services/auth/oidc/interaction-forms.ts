import { limits } from '@millseal/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type HtmlPage, sendHtmlPage } from '../../../http/html-page.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import { type Field, formProof, readOwnForm } from '../pages/own-form.ts'
import { isRefusal, type signInErrors, wordsFor } from '../pages/sign-in-errors.ts'
import { codePage, type FormPage, passwordPage } from '../pages/sign-in-pages.ts'
import { type Interaction, interactionOf, type IsBegunBy } from './interaction.ts'
import type { OpenProvider } from './mount.ts'
import type { ProvenUser, Prover } from './prove-user.ts'

type Step = 'password' | 'code' | 'consent'
type FormOf = (interaction: Interaction, step: Step) => Promise<FormPage>
type Submission = { readonly interaction: Interaction; readonly field: Field; readonly ip: string }
/** The address to go on to, or the form again with what was wrong. */
type Answer = string | { readonly problem: Problem; readonly page: (form: FormPage) => HtmlPage }

type Dependencies = {
  readonly open: OpenProvider
  readonly isBegunBy: IsBegunBy
  readonly publicUrl: () => string
  readonly address: string
  readonly prover: Prover
  readonly formOf: FormOf
  readonly errorHandler: ReturnType<typeof signInErrors>
}

export const ownForms =
  (open: OpenProvider): FormOf =>
  async ({ uid }, step) => {
    const { formKey } = (await open()).secrets.reveal()
    return { action: `/oidc/interaction/${uid}/${step}`, proof: formProof(formKey, uid, step) }
  }

export const mountInteractionForms = (server: FastifyInstance, deps: Dependencies): void => {
  const { prover } = deps
  // Counted together with the operation that takes passwords too: guessing here buys no guesses there.
  mountForm(server, deps, 'password', 'auth.login', passwordAnswer(prover))
  mountForm(server, deps, 'code', 'auth.code', codeAnswer(prover))
  mountForm(server, deps, 'consent', 'oidc.consent', ({ interaction, field }) =>
    interaction.finish(
      field('decision') === 'continue'
        ? { consent: {} }
        : { error: 'access_denied', error_description: 'The sign-in was cancelled' },
    ),
  )
}

const mountForm = (
  server: FastifyInstance,
  deps: Dependencies,
  step: Step,
  bucket: string,
  answer: (submission: Submission) => Promise<Answer>,
): void => {
  const { publicUrl, address, formOf, errorHandler } = deps
  // Where a browser comes that opens the address of a sent form again.
  server.get<{ Params: { uid: string } }>(
    `${address}/${step}`,
    { config: { unlimited: true }, exposeHeadRoute: false },
    async ({ params }, reply) => reply.redirect(`/oidc/interaction/${encodeURIComponent(params.uid)}`, 303),
  )
  const limited = { bucket, perMinute: limits.credentialCallsPerMinute }
  server.post(
    `${address}/${step}`,
    { config: { limited }, errorHandler },
    async (request, reply): Promise<FastifyReply> => {
      const interaction = await interactionOf(deps, request, reply)
      if ((interaction.prompt === 'consent') !== (step === 'consent')) throw new Problem('link_invalid')
      const form = await formOf(interaction, step)
      const field = readOwnForm(request, { proof: form.proof, publicUrl: publicUrl() })
      const answered = await answer({ interaction, field, ip: request.ip })
      if (typeof answered === 'string') {
        return reply.header('cache-control', 'no-store').redirect(answered, 303)
      }
      const { status, words } = wordsFor(answered.problem, step)
      return sendHtmlPage(reply, { ...answered.page({ ...form, problem: words }), status })
    },
  )
}

const passwordAnswer =
  (prover: Prover) =>
  async ({ interaction, field, ip }: Submission): Promise<Answer> => {
    const login = field('login', limits.email.maxLength)
    const password = new Secret(field('password', limits.password.maxLength))
    try {
      const user = await prover.byPassword(interaction.uid, { login, password, ip })
      return user === undefined
        ? `/oidc/interaction/${interaction.uid}`
        : await interaction.finish(signedIn(user))
    } catch (error) {
      if (!isRefusal(error)) throw error
      return { problem: error, page: (form) => passwordPage({ ...form, login }) }
    }
  }

const codeAnswer =
  (prover: Prover) =>
  async ({ interaction, field, ip }: Submission): Promise<Answer> => {
    const code = new Secret(field('code', limits.mfaCode.maxLength))
    try {
      return await interaction.finish(signedIn(await prover.byCode(interaction.uid, { code, ip })))
    } catch (error) {
      if (!isRefusal(error)) throw error
      return { problem: error, page: codePage }
    }
  }

const signedIn = ({ id, atMs, methods }: ProvenUser) => ({
  login: { accountId: id, ts: atMs / 1_000, amr: [...methods], remember: false },
})
