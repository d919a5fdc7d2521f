import { errors, limits, type OpenInvitation, operations } from '@millseal/contract'
import { type Markup, markup, withoutUndefined } from '@millseal/families'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Problem } from '../../lib/problem.ts'
import { type HtmlPage, sendHtmlPage } from '../html-page.ts'
import { browserErrors, type Explain } from '../page-errors.ts'
import type { AccountPages } from './accounts.ts'
import { formField, invalidFields, isAboutUsername, limitOf, readFields, titleOf, unlimited } from './form.ts'
import { invitationWords as words } from './invitation-words.ts'
import { paths } from './links.ts'
import { mailedLink } from './mailed-link.ts'
import { type PageLanguage, pageLanguageOf } from './page-language.ts'

type Name = 'username' | 'password'
type Problems = Partial<Record<Name, string>>
const explain: Explain = ({ code }, language) => {
  const t = words[language]
  const action = markup`<p><a class="button" href="${paths.signIn}">${t.signIn}</a></p>`
  return code === 'link_invalid' ? { title: t.invalid, text: t.invalidText, action } : undefined
}

/** A person with a confirmed account only accepts; the others also set what their account needs. */
const fieldsFor: Readonly<Record<OpenInvitation['account'], readonly Name[]>> = {
  confirmed: [],
  unconfirmed: ['password'],
  none: ['username', 'password'],
}

const invalid = invalidFields(operations.acceptInvitation.body.schema)

/** The page of an invitation to a company, behind a mailed link. */
export const registerInvitationPage = (server: FastifyInstance, pages: AccountPages): void => {
  const { accounts, publicUrl } = pages
  const link = mailedLink('invitation', paths.invitation, publicUrl)
  const errorHandler = browserErrors(explain)
  server.get(
    paths.invitation,
    { ...unlimited, exposeHeadRoute: false, errorHandler },
    async (request, reply): Promise<FastifyReply> => {
      const opened = link.openedToken(request)
      const token = opened ?? link.keptToken(request)
      const invitation = await accounts.readInvitation(token)
      if (opened !== undefined) return link.keep(reply, opened)
      return sendHtmlPage(reply, form(pageLanguageOf(request), invitation, link.proofField(token)))
    },
  )
  server.post(
    paths.invitation,
    { config: limitOf(operations.acceptInvitation), errorHandler },
    async (request, reply): Promise<FastifyReply> => {
      const token = link.keptToken(request)
      const invitation = await accounts.readInvitation(token)
      link.assertOwnForm(request, token)
      const language = pageLanguageOf(request)
      const account = readFields(request, fieldsFor[invitation.account])
      const again = (status: number, problems: Problems) => {
        const shown = { username: account.username, problems }
        return sendHtmlPage(reply, {
          ...form(language, invitation, link.proofField(token), shown),
          status,
        })
      }
      const wrong = problemsOf(invalid(account), language)
      if (Object.keys(wrong).length > 0) return again(400, wrong)
      try {
        await accounts.acceptInvitation({ token, account, language, ip: request.ip })
      } catch (error) {
        const problems = error instanceof Problem ? placeOf(error, language) : undefined
        if (!(error instanceof Problem) || problems === undefined) throw error
        return again(errors[error.code].status, problems)
      }
      return link.finish(reply)
    },
  )
  server.get(`${paths.invitation}/done`, unlimited, async (request, reply) =>
    sendHtmlPage(reply, donePage(pageLanguageOf(request))),
  )
}

const problemsOf = (fields: ReadonlySet<string>, language: PageLanguage): Problems => {
  const t = words[language]
  return withoutUndefined({
    username: fields.has('username') ? `${t.usernameRule}.` : undefined,
    password: fields.has('password') ? `${t.passwordRule}.` : undefined,
  })
}

const placeOf = (problem: Problem, language: PageLanguage): Problems | undefined => {
  const t = words[language]
  const { code } = problem
  if (code === 'validation_failed' && isAboutUsername(problem)) return { username: t.usernameRefused }
  if (code === 'password_rejected') return { password: t.passwordRejected }
  return code === 'user_exists' ? { username: t.usernameTaken } : undefined
}

const form = (
  language: PageLanguage,
  invitation: OpenInvitation,
  proof: Markup,
  { username = '', problems = {} }: { readonly username?: string; readonly problems?: Problems } = {},
): HtmlPage => {
  const t = words[language]
  const fields: Readonly<Record<Name, Markup>> = {
    username: formField({
      name: 'username',
      label: t.username,
      autocomplete: 'username',
      limits: limits.username,
      hint: t.usernameRule,
      value: username,
      problem: problems.username,
    }),
    password: formField({
      name: 'password',
      label: t.password,
      type: 'password',
      autocomplete: 'new-password',
      limits: limits.password,
      hint: t.passwordRule,
      problem: problems.password,
    }),
  }
  return {
    title: titleOf(t.title, Object.keys(problems).length > 0, t.problem),
    language,
    main: markup`<h1>${t.title}</h1>
<p>${t.offer(invitation)}</p>
${invitation.company.verified ? undefined : markup`<p class="note">${t.unreviewed}</p>`}
<p class="muted">${t[invitation.account]}</p>
<form method="post" action="${paths.invitation}">
${proof}
${fieldsFor[invitation.account].map((name) => fields[name])}
<button>${t.accept}</button>
</form>`,
  }
}

const donePage = (language: PageLanguage): HtmlPage => {
  const t = words[language]
  return {
    title: t.done,
    language,
    main: markup`<h1>${t.done}</h1>
<p>${t.doneText}</p>
<p><a class="button" href="${paths.signIn}">${t.signIn}</a></p>`,
  }
}
