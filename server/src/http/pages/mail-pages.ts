import { limits, type Operation, operations } from '@millseal/contract'
import { type Markup, markup } from '@millseal/families'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type HtmlPage, sendHtmlPage } from '../html-page.ts'
import { pageErrors } from '../page-errors.ts'
import type { AccountPages } from './accounts.ts'
import { formField, invalidFields, limitOf, readFields, titleOf, unlimited } from './form.ts'
import { paths } from './links.ts'
import { type PageLanguage, pageLanguageOf } from './page-language.ts'

const words = {
  en: {
    email: 'E-mail address',
    emailRule: 'Enter an e-mail address, such as name@company.com.',
    problem: 'Problem',
    mailOnItsWay: 'Open the link in our mail',
    noMail: 'No mail after a few minutes? Look in the spam folder, or',
    again: 'request another one',
    savedMails:
      'This server has no mail server yet: it saves its mails as files in the folder “mails” of its data folder.',
    signIn: 'Sign in',
    resend: {
      title: 'Get a new confirmation mail',
      intro: 'Enter the address that you registered with. The link in the mail works for 24 hours.',
      button: 'Send the mail',
      sent: 'If this address is registered and not confirmed yet, a mail is on its way.',
    },
    forgot: {
      title: 'Set a new password',
      intro: 'Enter the address of your account. We send you a link that works once, within an hour.',
      button: 'Send the link',
      sent: 'If this address is registered, a mail is on its way. The link works once, within an hour.',
    },
    registered:
      'We have sent a mail to your address. Open the link in it within 24 hours; then you can sign in.',
  },
  de: {
    email: 'E-Mail-Adresse',
    emailRule: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@firma.de.',
    problem: 'Problem',
    mailOnItsWay: 'Öffnen Sie den Link in unserer E-Mail',
    noMail: 'Nach einigen Minuten noch keine E-Mail? Sehen Sie im Spam-Ordner nach oder',
    again: 'fordern Sie eine neue an',
    savedMails:
      'Dieser Server hat noch keinen Mailserver: Er speichert seine E-Mails als Dateien im Ordner „mails“ seines Datenordners.',
    signIn: 'Anmelden',
    resend: {
      title: 'Neue Bestätigungs-E-Mail',
      intro:
        'Geben Sie die Adresse ein, mit der Sie sich registriert haben. Der Link in der E-Mail gilt 24 Stunden.',
      button: 'E-Mail senden',
      sent: 'Wenn diese Adresse registriert und noch nicht bestätigt ist, ist eine E-Mail unterwegs.',
    },
    forgot: {
      title: 'Neues Passwort festlegen',
      intro:
        'Geben Sie die Adresse Ihres Kontos ein. Wir schicken Ihnen einen Link, der einmal und eine Stunde lang funktioniert.',
      button: 'Link senden',
      sent: 'Wenn diese Adresse registriert ist, ist eine E-Mail unterwegs. Der Link darin funktioniert einmal und eine Stunde lang.',
    },
    registered:
      'Wir haben Ihnen eine E-Mail geschickt. Öffnen Sie den Link darin innerhalb von 24 Stunden; dann können Sie sich anmelden.',
  },
} satisfies Record<PageLanguage, unknown>

type Kind = 'resend' | 'forgot'

const requests: readonly { readonly kind: Kind; readonly operation: Operation }[] = [
  { kind: 'resend', operation: operations.resendConfirmation },
  { kind: 'forgot', operation: operations.requestPasswordReset },
]
const invalid = invalidFields(operations.resendConfirmation.params)

/** The pages that send a mail with a link, and those that say it is on its way. They do not tell who is registered. */
export const registerMailPages = (server: FastifyInstance, pages: AccountPages): void => {
  const { accounts, sendsMails } = pages
  const send = { resend: accounts.sendConfirmation, forgot: accounts.sendPasswordReset }
  for (const { kind, operation } of requests) {
    const path = paths[kind]
    server.get(path, unlimited, async (request, reply) =>
      sendHtmlPage(reply, requestPage(kind, pageLanguageOf(request))),
    )
    server.post(
      path,
      { config: limitOf(operation), errorHandler: pageErrors(() => undefined) },
      async (request, reply): Promise<FastifyReply> => {
        const fields = readFields(request, ['email'])
        if (invalid(fields).size > 0)
          return sendHtmlPage(reply, {
            ...requestPage(kind, pageLanguageOf(request), fields.email),
            status: 400,
          })
        await send[kind](fields.email)
        return reply.header('cache-control', 'no-store').redirect(`${path}/sent`, 303)
      },
    )
    server.get(`${path}/sent`, unlimited, async (request, reply) => {
      const language = pageLanguageOf(request)
      return sendHtmlPage(reply, sentPage(words[language][kind].sent, path, { language, sendsMails }))
    })
  }
  server.get(`${paths.register}/sent`, unlimited, async (request, reply) => {
    const language = pageLanguageOf(request)
    return sendHtmlPage(reply, sentPage(words[language].registered, paths.resend, { language, sendsMails }))
  })
}

/** The form alone, for pages of links that no longer work. */
export const mailForm = (kind: Kind, language: PageLanguage, wrongEmail?: string): Markup => {
  const t = words[language]
  const field = formField({
    name: 'email',
    label: t.email,
    type: 'email',
    autocomplete: 'email',
    limits: limits.email,
    value: wrongEmail ?? '',
    problem: wrongEmail === undefined ? undefined : t.emailRule,
  })
  return markup`<form method="post" action="${paths[kind]}">
${field}
<button>${t[kind].button}</button>
</form>`
}

const requestPage = (kind: Kind, language: PageLanguage, wrongEmail?: string): HtmlPage => {
  const t = words[language]
  return {
    title: titleOf(t[kind].title, wrongEmail !== undefined, t.problem),
    language,
    main: markup`<h1>${t[kind].title}</h1>
<p class="muted">${t[kind].intro}</p>
${mailForm(kind, language, wrongEmail)}
<p class="muted"><a href="${paths.signIn}">${t.signIn}</a></p>`,
  }
}

const sentPage = (
  sentence: string,
  again: string,
  { language, sendsMails }: { readonly language: PageLanguage; readonly sendsMails: boolean },
): HtmlPage => {
  const t = words[language]
  return {
    title: t.mailOnItsWay,
    language,
    main: markup`<h1>${t.mailOnItsWay}</h1>
<p>${sentence}</p>
${sendsMails ? undefined : markup`<p class="note">${t.savedMails}</p>`}
<p class="muted">${t.noMail} <a href="${again}">${t.again}</a>.</p>
<p><a class="button second" href="${paths.signIn}">${t.signIn}</a></p>`,
  }
}
