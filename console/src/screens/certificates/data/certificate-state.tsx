import type { Certificate } from '@millseal/contract'
import { useTexts } from '../../../texts/catalog.ts'
import { State, type StateKind } from '../../../ui/state.tsx'

export type ShownState = Certificate['state'] | 'withdrawn' | 'replaced'

const kinds: Readonly<Record<ShownState, StateKind>> = {
  awaitingRelease: 'wait',
  accepted: 'wait',
  running: 'wait',
  notarized: 'good',
  failed: 'bad',
  withdrawn: 'gone',
  replaced: 'swap',
}

/** The state for a reader: a later correction counts more than the notarization. */
export const shownStateOf = ({ state, withdrawn, replacedBy }: Certificate): ShownState => {
  if (withdrawn === true) return 'withdrawn'
  return replacedBy === undefined ? state : 'replaced'
}

export const CertificateState = ({ certificate }: { readonly certificate: Certificate }) => {
  const t = useTexts('certificates')
  const shown = shownStateOf(certificate)
  return <State kind={kinds[shown]}>{t.states[shown]}</State>
}
