/** Screens of other areas. */
export const addresses: Readonly<Record<'form' | 'keys' | 'company', string>> = {
  form: '/new/form',
  keys: '/keys',
  company: '/company',
}
