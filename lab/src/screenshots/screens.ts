import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { OperationName } from '@millseal/contract'

export type Role = 'manager' | 'buyer' | 'operator' | 'nobody'

export type Screen = {
  /** The beginning of the names of its pictures. */
  readonly name: string
  readonly role: Role
  readonly path: string
  /** Opens the first link in the page whose target matches. */
  readonly follow?: RegExp
  /** Opens the printed code of the first live certificate. */
  readonly code?: true
  /** Chooses the PDF of that certificate. */
  readonly pdf?: true
  /** Opened on the smallest phones by people who have only a paper or a mail. */
  readonly isForReceivers?: true
}

type Navigation = readonly {
  readonly name: string | undefined
  readonly entries: readonly { readonly to: string; readonly name: string; readonly needs?: OperationName }[]
}[]

const publicScreens: readonly Screen[] = [
  { name: 'landing', role: 'nobody', path: '/', isForReceivers: true },
  { name: 'register', role: 'nobody', path: '/register' },
  { name: 'sign-in', role: 'nobody', path: '/auth/login' },
  { name: 'verify-page', role: 'nobody', path: '/verify', isForReceivers: true },
  { name: 'verdict', role: 'nobody', path: '/verify', pdf: true, isForReceivers: true },
  { name: 'code', role: 'nobody', path: '/v/', code: true, isForReceivers: true },
]

const furtherScreens: readonly Screen[] = [
  {
    name: 'certificate',
    role: 'manager',
    path: '/console/certificates',
    follow: /certificates\/[0-9a-f-]{36}/,
  },
  { name: 'new', role: 'manager', path: '/console/new' },
  { name: 'new-form', role: 'manager', path: '/console/new/form' },
  {
    name: 'webhook',
    role: 'manager',
    path: '/console/webhooks',
    follow: /webhooks\/[0-9a-f-]{36}/,
  },
  { name: 'review', role: 'operator', path: '/console/operator/reviews', follow: /reviews\/[0-9a-f-]{36}/ },
]

/** Every screen of the navigation as somebody sees who has something on it, and those that have no line there. */
export const screensOf = async (root: string): Promise<readonly Screen[]> => {
  const file = join(root, 'console/src/shell/navigation.ts')
  const { navigation } = (await import(pathToFileURL(file).href)) as { readonly navigation: Navigation }
  const listed = navigation.flatMap((section) =>
    section.entries.map(({ to, name }): Screen => {
      const path = `/console${to}`
      if (section.name === 'operator') return { name: `operator-${name}`, role: 'operator', path }
      return { name, role: name === 'received' ? 'buyer' : 'manager', path }
    }),
  )
  return [...publicScreens, ...listed, ...furtherScreens]
}
