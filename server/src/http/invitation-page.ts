import { limits } from '@millseal/contract'
import type { FastifyInstance } from 'fastify'
import { markup } from '@millseal/families'
import { sendHtmlPage } from './html-page.ts'

const path = '/invitation'
const unlimited = { config: { unlimited: true } } as const

/** The page of an invitation to a company. The token is in the fragment, which browsers do not send to the server. */
export const registerInvitationPage = (server: FastifyInstance): void => {
  server.get(path, unlimited, async (_request, reply) =>
    sendHtmlPage(reply, { title: 'Invitation', main: form, hasScript: true }),
  )
  server.get(`${path}/form.js`, unlimited, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=300').send(script),
  )
}

const { username, password } = limits

/** Sent by POST, and only by the script, so no password can get into a URL. */
const form = markup`<h1>Join a company</h1>
<noscript><p class="wrong">This page needs JavaScript.</p></noscript>
<p id="offer" hidden></p>
<p id="unreviewed" class="wrong" hidden>The operator of this service has not reviewed this company yet. Accept only if you expect this invitation.</p>
<form method="post" hidden>
<div id="for-username" hidden>
<label for="username">User name</label>
<input id="username" autocomplete="username" minlength="${username.minLength}" maxlength="${username.maxLength}" pattern="[^@\\s]+" disabled>
</div>
<div id="for-password" hidden>
<label for="password">Password</label>
<input id="password" type="password" autocomplete="new-password" minlength="${password.minLength}" maxlength="${password.maxLength}" disabled>
</div>
<button>Accept</button>
</form>
<p id="problem" class="wrong" role="alert" hidden></p>
<p id="done" role="status" hidden>You are a member now. You can close this page and sign in.</p>
<script src="${path}/form.js" defer></script>`

const script = `const find = (name) => document.querySelector(name)
const form = find('form')
const problem = find('#problem')
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
history.replaceState(null, '', location.pathname)

const showProblem = (text) => {
  problem.textContent = text
  problem.hidden = false
}

const reasons = {
  401: 'This link is no longer valid. Ask the company for a new invitation.',
  429: 'Too many attempts. Wait a minute, then try again.',
}

const call = async (path, options) => {
  const response = await fetch('/api/invitations/' + path + '?token=' + encodeURIComponent(token), options)
  const answer = await response.json()
  if (!response.ok) throw new Error(reasons[response.status] ?? answer.message)
  return answer
}

const attempt = (work) =>
  work().catch((error) =>
    showProblem(error instanceof TypeError ? 'The service cannot be reached. Try again later.' : error.message),
  )

const need = (name) => {
  find('#for-' + name).hidden = false
  const input = find('#' + name)
  input.disabled = false
  input.required = true
}

const roles = { admin: 'an admin', operator: 'an operator', read_only: 'a reader' }

const show = ({ company, invitedBy, email, role, account }) => {
  find('#offer').textContent =
    invitedBy + ' invites ' + email + ' to ' + company.name + ' (' + company.vatId + ') as ' + roles[role] + '.'
  find('#offer').hidden = false
  find('#unreviewed').hidden = company.verified
  if (account === 'none') need('username')
  if (account !== 'confirmed') need('password')
  form.hidden = false
}

const accept = async () => {
  const values = ['username', 'password'].filter((name) => !find('#' + name).disabled)
  const body = Object.fromEntries(values.map((name) => [name, find('#' + name).value]))
  await call('accept', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  form.hidden = true
  find('#done').hidden = false
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  problem.hidden = true
  find('button').disabled = true
  await attempt(accept)
  find('button').disabled = false
})

if (token === '') showProblem('To open this page, use the link in the e-mail.')
else attempt(async () => show(await call('by-link')))
`
