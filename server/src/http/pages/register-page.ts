import { limits, operations } from '@millseal/contract'
import { type Markup, markup, withoutUndefined } from '@millseal/families'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Problem } from '../../lib/problem.ts'
import { errors } from '@millseal/contract'
import { type HtmlPage, sendHtmlPage } from '../html-page.ts'
import { pageErrors, sentenceOf } from '../page-errors.ts'
import type { AccountPages } from './accounts.ts'
import { formField, invalidFields, isAboutUsername, limitOf, readFields, titleOf, unlimited } from './form.ts'
import { paths } from './links.ts'
import { type PageLanguage, pageLanguageOf } from './page-language.ts'

const { username, email, password } = limits

const words = {
  en: {
    title: 'Register',
    problem: 'Problem',
    intro:
      'One account is enough for all companies you work for. We send you a mail to confirm your address.',
    username: 'User name',
    usernameRefused:
      'Choose another user name: with letters of one script, digits and . _ - + only, and not one that looks like the name of another user or of the operator.',
    usernameRule: `${username.minLength} to ${username.maxLength} letters, digits and . _ - +`,
    email: 'E-mail address',
    emailRule: 'Enter an e-mail address, such as name@company.com.',
    password: 'Password',
    passwordRule: `${password.minLength} to ${password.maxLength} characters`,
    passwordRejected:
      'Choose a password that is hard to guess: no common one, and not just your user name, e-mail address or company. It needs at least 4 different characters.',
    exists: 'This user name or this e-mail address already has an account.',
    signIn: 'Sign in',
    forgot: 'Forgot your password?',
    haveAccount: 'You already have an account?',
  },
  de: {
    title: 'Registrieren',
    problem: 'Problem',
    intro:
      'Ein Konto genügt für alle Firmen, für die Sie arbeiten. Zur Bestätigung Ihrer Adresse schicken wir Ihnen eine E-Mail.',
    username: 'Benutzername',
    usernameRefused:
      'Wählen Sie einen anderen Benutzernamen: nur mit Buchstaben einer Schrift, Ziffern und . _ - +, und keinen, der wie der eines anderen Benutzers oder des Betreibers aussieht.',
    usernameRule: `${username.minLength} bis ${username.maxLength} Buchstaben, Ziffern und . _ - +`,
    email: 'E-Mail-Adresse',
    emailRule: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@firma.de.',
    password: 'Passwort',
    passwordRule: `${password.minLength} bis ${password.maxLength} Zeichen`,
    passwordRejected:
      'Wählen Sie ein Passwort, das schwer zu erraten ist: kein häufiges und nicht nur Ihr Benutzername, Ihre E-Mail-Adresse oder Ihre Firma. Es braucht mindestens 4 verschiedene Zeichen.',
    exists: 'Diesen Benutzernamen oder diese E-Mail-Adresse gibt es schon.',
    signIn: 'Anmelden',
    forgot: 'Passwort vergessen?',
    haveAccount: 'Sie haben schon ein Konto?',
  },
} satisfies Record<PageLanguage, unknown>

const names = ['username', 'email', 'password'] as const
type Problems = Partial<Record<(typeof names)[number] | 'form', string>>
type Shown = { readonly username?: string; readonly email?: string; readonly problems?: Problems }

const invalid = invalidFields(operations.registerUser.body.schema)

/** Registration with a browser: the same rules, limits and answers as `POST /api/users`. */
export const registerRegisterPage = (server: FastifyInstance, { accounts }: AccountPages): void => {
  server.get(paths.register, unlimited, async (request, reply) =>
    sendHtmlPage(reply, form(pageLanguageOf(request), {})),
  )
  server.post(
    paths.register,
    { config: limitOf(operations.registerUser), errorHandler: pageErrors(() => undefined) },
    async (request, reply): Promise<FastifyReply> => {
      const language = pageLanguageOf(request)
      const user = readFields(request, names)
      const again = (status: number, problems: Problems) =>
        sendHtmlPage(reply, {
          ...form(language, { username: user.username, email: user.email, problems }),
          status,
        })
      const problems = problemsOf(invalid(user), language)
      if (Object.keys(problems).length > 0) return again(400, problems)
      try {
        await accounts.register(user, language)
        return reply.header('cache-control', 'no-store').redirect(`${paths.register}/sent`, 303)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        const place = placeOf(error, language)
        if (place === undefined) throw error
        return again(errors[error.code].status, place)
      }
    },
  )
}

const problemsOf = (fields: ReadonlySet<string>, language: PageLanguage): Problems => {
  const t = words[language]
  return withoutUndefined({
    username: fields.has('username') ? `${t.usernameRule}.` : undefined,
    email: fields.has('email') ? t.emailRule : undefined,
    password: fields.has('password') ? `${t.passwordRule}.` : undefined,
  })
}

const placeOf = (problem: Problem, language: PageLanguage): Problems | undefined => {
  const t = words[language]
  if (problem.code === 'password_rejected') return { password: t.passwordRejected }
  if (problem.code === 'user_exists') return { form: t.exists }
  if (problem.code !== 'validation_failed') return undefined
  return isAboutUsername(problem) ? { username: t.usernameRefused } : { form: sentenceOf(problem, language) }
}

const form = (language: PageLanguage, { username: name, email: address, problems = {} }: Shown): HtmlPage => {
  const t = words[language]
  return {
    title: titleOf(t.title, Object.keys(problems).length > 0, t.problem),
    language,
    main: markup`<h1>${t.title}</h1>
<p class="muted">${t.intro}</p>
<form method="post" action="${paths.register}">
${problems.form && existsNote(problems.form, language)}
${formField({ name: 'username', label: t.username, autocomplete: 'username', limits: username, hint: t.usernameRule, value: name ?? '', problem: problems.username })}
${formField({ name: 'email', label: t.email, type: 'email', autocomplete: 'email', limits: email, value: address ?? '', problem: problems.email })}
${formField({ name: 'password', label: t.password, type: 'password', autocomplete: 'new-password', limits: password, hint: t.passwordRule, problem: problems.password })}
<button>${t.title}</button>
</form>
<p class="muted">${t.haveAccount} <a href="${paths.signIn}">${t.signIn}</a></p>`,
  }
}

const existsNote = (problem: string, language: PageLanguage): Markup => {
  const t = words[language]
  return markup`<p class="wrong" role="alert">${problem} <a href="${paths.signIn}">${t.signIn}</a> · <a href="${paths.forgot}">${t.forgot}</a></p>`
}
