/** The button "Sign in with a passkey". Without this script, the page works with password and code. */

const form = document.querySelector<HTMLFormElement>('form[data-passkey]')
const failed = document.querySelector<HTMLElement>('#passkey-failed')

const ask = async (asking: HTMLFormElement): Promise<void> => {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    JSON.parse(asking.dataset['passkey'] ?? '{}'),
  )
  const credential = await navigator.credentials.get({ publicKey })
  const field = asking.elements.namedItem('response')
  if (!(credential instanceof PublicKeyCredential) || !(field instanceof HTMLInputElement)) return
  field.value = JSON.stringify(credential.toJSON())
  // Submits without the event, so that this does not run again.
  asking.submit()
}

if (
  form !== null &&
  'PublicKeyCredential' in window &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential
) {
  form.parentElement?.removeAttribute('hidden')
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    ask(form).catch(() => failed?.removeAttribute('hidden'))
  })
}
