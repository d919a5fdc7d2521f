/** The addresses of pages that other pages and mails lead to. */
export const paths = {
  console: '/console/',
  signIn: '/auth/login?return_to=%2Fconsole%2F',
  verify: '/verify',
  register: '/register',
  resend: '/resend-confirmation',
  confirm: '/confirm-email',
  welcome: '/welcome',
  forgot: '/forgot-password',
  reset: '/reset-password',
  unlock: '/unlock-sign-in',
  invitation: '/invitation',
  unsubscribe: '/unsubscribe',
  guide: '/docs/guide',
  reference: '/docs/api',
} as const
