import type { Certificate } from '@millseal/contract'
import { useTexts } from '../../../texts/catalog.ts'
import { State, type StateKind } from '../../../ui/state.tsx'

export type ShownState = Certificate['state'] | 'confirmed' | 'withdrawn' | 'replaced'

const kinds: Readonly<Record<ShownState, StateKind>> = {
  awaitingRelease: 'wait',
  accepted: 'wait',
  running: 'wait',
  notarized: 'good',
  confirmed: 'good',
  failed: 'bad',
  withdrawn: 'gone',
  replaced: 'swap',
}

/** The state for a reader: what happened last counts. */
export const shownStateOf = ({ state, confirmedAt, withdrawn, replacedBy }: Certificate): ShownState => {
  if (withdrawn === true) return 'withdrawn'
  if (replacedBy !== undefined) return 'replaced'
  return state === 'notarized' && confirmedAt !== undefined ? 'confirmed' : state
}

export const CertificateState = ({ certificate }: { readonly certificate: Certificate }) => {
  const t = useTexts('certificates')
  const shown = shownStateOf(certificate)
  return <State kind={kinds[shown]}>{t.states[shown]}</State>
}
