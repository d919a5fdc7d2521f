import { limits } from '@millseal/contract'
import type { FastifyInstance } from 'fastify'
import { html } from './html.ts'
import { sendHtmlPage } from './html-page.ts'

const path = '/reset-password'
const unlimited = { config: { unlimited: true } } as const

/** Where the link of a password reset ends. The token comes behind the #, so the page itself never gets to see it. */
export const registerPasswordPage = (server: FastifyInstance): void => {
  server.get(path, unlimited, async (_request, reply) =>
    sendHtmlPage(reply, { title: 'Set a new password', main: form, hasScript: true }),
  )
  server.get(`${path}/form.js`, unlimited, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=300').send(script),
  )
}

/** Sent by POST and only once the script has taken over: no password may ever end up in an address. */
const form = html`<h1>Set a new password</h1>
<p class="quiet">All sessions of your account will be signed out.</p>
<noscript><p class="wrong">This page needs JavaScript.</p></noscript>
<form method="post">
<label for="password">New password</label>
<input id="password" type="password" autocomplete="new-password" required minlength="${limits.password.minLength}" maxlength="${limits.password.maxLength}" aria-describedby="problem">
<p id="problem" class="wrong" role="alert" hidden></p>
<button disabled>Set password</button>
</form>
<p id="done" role="status" hidden>Your new password is set. You can sign in with it now and close this page.</p>
<script src="${path}/form.js" defer></script>`

const script = `const form = document.querySelector('form')
const input = document.querySelector('#password')
const problem = document.querySelector('#problem')
const button = document.querySelector('button')
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
history.replaceState(null, '', location.pathname)

const complain = (text) => {
  problem.textContent = text
  problem.hidden = false
  input.setAttribute('aria-invalid', 'true')
}

const reasons = {
  401: 'The link is not valid any more. Ask for a new mail.',
  429: 'Too many attempts: wait a minute and try again.',
}

const setPassword = async () => {
  const response = await fetch('/api/users/reset-password?token=' + encodeURIComponent(token), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: input.value }),
  })
  if (response.ok) {
    form.hidden = true
    document.querySelector('#done').hidden = false
    return
  }
  const { message } = await response.json()
  complain(reasons[response.status] ?? message)
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  problem.hidden = true
  button.disabled = true
  await setPassword().catch(() => complain('The service cannot be reached. Try again.'))
  button.disabled = false
})

if (token === '') complain('Open this page by the link in the mail.')
else button.disabled = false
`
