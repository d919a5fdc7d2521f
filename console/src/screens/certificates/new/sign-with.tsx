import type { Identity } from '@millseal/contract'
import { Link } from '@tanstack/react-router'
import { useHere } from '../../../shell/here.ts'
import { useTexts } from '../../../texts/catalog.ts'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/select.tsx'
import { addresses } from '../data/addresses.ts'
import { useIdentityName } from '../data/identities.ts'
import { type Doubtful, NotarizeDoubtful } from './notarize-doubtful.tsx'

/** The key to sign with, and the button that makes it permanent. */
export const SignWith = ({
  identities,
  identity,
  onIdentity,
  count,
  doubtful,
  onNotarize,
  onAccept,
}: Doubtful & {
  readonly identities: readonly Identity[]
  readonly identity: Identity | undefined
  readonly onIdentity: (id: string) => void
  /** The number of valid certificates that are not sent yet. */
  readonly count: number
  readonly onNotarize: () => void
}) => {
  const t = useTexts('files')
  const { mode } = useHere()
  const identityName = useIdentityName()
  if (identities.length === 0)
    return (
      <section className="card">
        <h2>{t.noIdentityTitle}</h2>
        <p>{t.noIdentityText}</p>
        <div>
          <Link to={addresses.keys} className="button">
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
      <p className="muted">{mode === 'test' ? t.notarizeTest : t.notarizeText}</p>
      <div className="stack">
        {(count > 0 || doubtful.length === 0) && (
          <Button kind="primary" isDisabled={identity === undefined || count === 0} onPress={onNotarize}>
            {t.notarize(count)}
          </Button>
        )}
        {doubtful.length > 0 && (
          <NotarizeDoubtful {...{ doubtful, onAccept }} isDisabled={identity === undefined} />
        )}
      </div>
    </section>
  )
}
