import { limits } from '@millseal/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type HtmlPage, sendHtmlPage } from '../../../http/html-page.ts'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import type { AuthDependencies } from '../dependencies.ts'
import { acrOf } from '../sessions/strength.ts'
import { type Field, formProof, readOwnForm } from '../pages/own-form.ts'
import { isShownOnForm, problemOnForm, signInErrors } from '../pages/sign-in-errors.ts'
import { codePage, type FormPage, passwordPage } from '../pages/sign-in-pages.ts'
import { type Interaction, interactionOf } from './interaction.ts'
import type { OpenProvider } from './open-provider.ts'
import {
  awaitsCode,
  passkeyRequestOf,
  proveByCode,
  proveByPasskey,
  proveByPassword,
  type ProvenUser,
} from './prove-user.ts'

type Step = 'password' | 'code' | 'passkey' | 'consent'
type Submission = { readonly interaction: Interaction; readonly field: Field; readonly ip: string }
/** The address to continue at, or the form again with what is wrong. */
type Answer =
  | string
  | { readonly problem: Problem; readonly page: (form: FormPage) => HtmlPage; readonly shown?: Step }

type Form = {
  readonly step: Step
  readonly bucket: string
  readonly answer: (deps: AuthDependencies, submission: Submission) => Promise<Answer>
}

export const interactionAddress = '/oidc/interaction/:uid'

export const formOf = async (
  open: OpenProvider,
  { uid, language }: Interaction,
  step: Step,
): Promise<FormPage> => {
  const { formKey } = (await open()).secrets.reveal()
  return { language, action: `/oidc/interaction/${uid}/${step}`, proof: formProof(formKey, uid, step) }
}

/** The form of a step, with a passkey in place of what it asks for. */
export const pageFormOf = async (
  deps: AuthDependencies,
  open: OpenProvider,
  interaction: Interaction,
  step: Step,
): Promise<FormPage> => {
  const form = await formOf(open, interaction, step)
  const request = await passkeyRequestOf(deps, interaction.uid)
  if (request === undefined) return form
  const { action, proof } = await formOf(open, interaction, 'passkey')
  return { ...form, passkey: { action, proof, request } }
}

export const mountInteractionForms = (
  server: FastifyInstance,
  deps: AuthDependencies,
  open: OpenProvider,
): void => {
  for (const form of forms) mountForm(server, deps, open, form)
}

const mountForm = (
  server: FastifyInstance,
  deps: AuthDependencies,
  open: OpenProvider,
  { step, bucket, answer }: Form,
): void => {
  // Answers browsers that open the address of a submitted form again.
  server.get<{ Params: { uid: string } }>(
    `${interactionAddress}/${step}`,
    { config: { unlimited: true }, exposeHeadRoute: false },
    async ({ params }, reply) => reply.redirect(`/oidc/interaction/${encodeURIComponent(params.uid)}`, 303),
  )
  const limited = { bucket, perMinute: limits.credentialCallsPerMinute }
  server.post(
    `${interactionAddress}/${step}`,
    { config: { limited }, errorHandler: signInErrors(deps.publicUrl) },
    async (request, reply): Promise<FastifyReply> => {
      const interaction = await interactionOf(deps, open, request, reply)
      if ((interaction.prompt === 'consent') !== (step === 'consent')) throw new Problem('link_invalid')
      const form = await formOf(open, interaction, step)
      const field = readOwnForm(request, { proof: form.proof, publicUrl: deps.publicUrl() })
      const answered = await answer(deps, { interaction, field, ip: request.ip })
      if (typeof answered === 'string') {
        return reply.header('cache-control', 'no-store').redirect(answered, 303)
      }
      const { status, ...problem } = problemOnForm(answered.problem, step, interaction.language)
      const shown = await pageFormOf(deps, open, interaction, answered.shown ?? step)
      return sendHtmlPage(reply, { ...answered.page({ ...shown, problem }), status })
    },
  )
}

const answerPassword = async (
  deps: AuthDependencies,
  { interaction, field, ip }: Submission,
): Promise<Answer> => {
  const login = field('login', limits.email.maxLength)
  const password = new Secret(field('password', limits.password.maxLength))
  try {
    const user = await proveByPassword(deps, interaction.uid, { login, password, ip })
    return user === undefined
      ? `/oidc/interaction/${interaction.uid}`
      : await interaction.finish(signedIn(user))
  } catch (error) {
    if (!isShownOnForm(error)) throw error
    return { problem: error, page: (form) => passwordPage({ ...form, login }) }
  }
}

const answerCode = async (
  deps: AuthDependencies,
  { interaction, field, ip }: Submission,
): Promise<Answer> => {
  const code = new Secret(field('code', limits.mfaCode.maxLength))
  try {
    return await interaction.finish(signedIn(await proveByCode(deps, interaction.uid, { code, ip })))
  } catch (error) {
    if (!isShownOnForm(error)) throw error
    return { problem: error, page: codePage }
  }
}

const answerPasskey = async (
  deps: AuthDependencies,
  { interaction, field, ip }: Submission,
): Promise<Answer> => {
  const response = field('response', limits.passkeyResponse.maxLength)
  try {
    return await interaction.finish(signedIn(await proveByPasskey(deps, interaction.uid, { response, ip })))
  } catch (error) {
    if (!isShownOnForm(error)) throw error
    return (await awaitsCode(deps, interaction.uid))
      ? { problem: error, page: codePage, shown: 'code' }
      : { problem: error, page: passwordPage, shown: 'password' }
  }
}

const answerConsent = (_deps: AuthDependencies, { interaction, field }: Submission): Promise<Answer> =>
  interaction.finish(
    field('decision') === 'continue'
      ? { consent: {} }
      : { error: 'access_denied', error_description: 'The sign-in was cancelled' },
  )

// `auth.login` also counts the API operation, so that both together allow no more guesses than one.
const forms: readonly Form[] = [
  { step: 'password', bucket: 'auth.login', answer: answerPassword },
  { step: 'code', bucket: 'auth.code', answer: answerCode },
  { step: 'passkey', bucket: 'auth.passkey', answer: answerPasskey },
  { step: 'consent', bucket: 'oidc.consent', answer: answerConsent },
]

const signedIn = ({ id, atMs, strength }: ProvenUser) => ({
  login: {
    accountId: id,
    ts: atMs / 1_000,
    amr: [...strength.amr],
    acr: acrOf(strength),
    remember: false,
  },
})
