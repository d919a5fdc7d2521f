import type { Identity } from '@millseal/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useHere } from '../../../shell/here.ts'
import { useTexts } from '../../../texts/catalog.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Select } from '../../../ui/select.tsx'
import { addresses as screens } from '../data/addresses.ts'
import { useIdentityName } from '../data/identities.ts'
import type { Entry } from './entry.ts'
import { type Doubtful, NotarizeDoubtful } from './notarize-doubtful.tsx'

type Props = Doubtful & {
  readonly identities: readonly Identity[]
  readonly identity: Identity | undefined
  readonly onIdentity: (id: string) => void
  /** The valid certificates that are not sent yet. */
  readonly valid: readonly Entry[]
  readonly onNotarize: () => void
}

/** The key to sign with, what will happen, and the buttons that make it permanent. */
export const SignWith = (props: Props) => {
  const { identities, identity, onIdentity } = props
  const t = useTexts('files')
  const identityName = useIdentityName()
  if (identities.length === 0)
    return (
      <section className="card">
        <h2>{t.noIdentityTitle}</h2>
        <p>{t.noIdentityText}</p>
        <div>
          <Link to={screens.keys} className="button">
            {t.toKeys}
          </Link>
        </div>
      </section>
    )
  const options = identities.map((each) => ({
    id: each.id,
    label: `${identityName(each)} (${each.isPublic ? t.identityPublic : t.identityPrivate})`,
  }))
  return (
    <section className="card sign-with">
      <Select
        label={t.identity}
        hint={identity?.isPublic === false ? t.identityHidden : t.identityHint}
        options={options}
        value={identity?.id}
        onChange={onIdentity}
      />
      <Notarize {...props} />
    </section>
  )
}

/** In live mode, somebody has read what will happen before a button works, also after another file was added. */
const Notarize = ({ identity, valid, doubtful, onNotarize, onAccept }: Props) => {
  const t = useTexts('files')
  const { mode } = useHere()
  const [read, setRead] = useState('')
  const all = [...valid, ...doubtful]
  const toWhom = [...new Set(all.flatMap(({ addresses = [] }) => addresses))]
  const unaddressed = all.filter(({ addresses }) => addresses?.length === 0).length
  const line = all.map(({ id, hash }) => `${id} ${hash}`).join()
  const isDisabled = identity === undefined || (mode === 'live' && read !== line)
  return (
    <>
      <div className="stack">
        <p>
          {t.before(all.length, doubtful.length, mode)} {t.mailedTo(toWhom, mode)}
        </p>
        {unaddressed > 0 && <p className="amber">{t.unaddressed(unaddressed, all.length)}</p>}
        {mode === 'live' && all.length > 0 && (
          <Checkbox isSelected={read === line} onChange={(isRead) => setRead(isRead ? line : '')}>
            {t.haveRead}
          </Checkbox>
        )}
      </div>
      <div className="stack">
        {(valid.length > 0 || doubtful.length === 0) && (
          <Button kind="primary" isDisabled={isDisabled || valid.length === 0} onPress={onNotarize}>
            {t.notarize(valid.length)}
          </Button>
        )}
        {doubtful.length > 0 && <NotarizeDoubtful {...{ doubtful, onAccept, isDisabled }} />}
      </div>
    </>
  )
}
