import { limits } from '@millseal/contract'
import type { FastifyInstance } from 'fastify'
import { markup } from '@millseal/families'
import { sendHtmlPage } from './html-page.ts'

const path = '/reset-password'
const unlimited = { config: { unlimited: true } } as const

/** The page for resetting a password. The token is in the fragment, which browsers do not send to the server. */
export const registerPasswordPage = (server: FastifyInstance): void => {
  server.get(path, unlimited, async (_request, reply) =>
    sendHtmlPage(reply, { title: 'Set a new password', main: form, hasScript: true }),
  )
  server.get(`${path}/form.js`, unlimited, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=300').send(script),
  )
}

/** Sent by POST, and only by the script, so no password can get into a URL. */
const form = markup`<h1>Set a new password</h1>
<p class="quiet">This signs you out on all devices.</p>
<noscript><p class="wrong">This page needs JavaScript.</p></noscript>
<form method="post">
<label for="password">New password</label>
<input id="password" type="password" autocomplete="new-password" required minlength="${limits.password.minLength}" maxlength="${limits.password.maxLength}" aria-describedby="problem">
<p id="problem" class="wrong" role="alert" hidden></p>
<button disabled>Set password</button>
</form>
<p id="done" role="status" hidden>Your new password is set. You can close this page and sign in.</p>
<script src="${path}/form.js" defer></script>`

const script = `const form = document.querySelector('form')
const input = document.querySelector('#password')
const problem = document.querySelector('#problem')
const button = document.querySelector('button')
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
history.replaceState(null, '', location.pathname)

const showProblem = (text) => {
  problem.textContent = text
  problem.hidden = false
  input.setAttribute('aria-invalid', 'true')
}

const reasons = {
  401: 'This link is no longer valid. Request a new e-mail.',
  429: 'Too many attempts. Wait a minute, then try again.',
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
  showProblem(reasons[response.status] ?? message)
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  problem.hidden = true
  button.disabled = true
  await setPassword().catch(() => showProblem('The service cannot be reached. Try again later.'))
  button.disabled = false
})

if (token === '') showProblem('To open this page, use the link in the e-mail.')
else button.disabled = false
`
