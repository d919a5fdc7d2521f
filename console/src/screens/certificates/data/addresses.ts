/** Screens of other areas. */
export const addresses: Readonly<Record<'form' | 'keys' | 'company' | 'replace', string>> = {
  form: '/new/form',
  keys: '/keys',
  company: '/company',
  replace: '/certificates/$id/replace',
}
