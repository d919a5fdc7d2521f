import { useSuspenseQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { SignInAgain } from '../../shell/sign-in-again.tsx'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { RemovalCard } from '../../ui/removal-card.tsx'
import { Card, Screen as Frame } from '../../ui/screen.tsx'
import { Account } from './account.tsx'
import { mfaQuery } from './me-queries.ts'
import './me.css'
import { Password } from './password.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

export const Screen = () => {
  const t = useTexts('me')
  return (
    <Frame title={t.title}>
      <div className="split">
        <div className="stack">
          <Notices />
          <Account />
          <Password />
        </div>
        <div className="stack">
          <SecondFactor />
          <Sessions />
          <Removal />
        </div>
      </div>
    </Frame>
  )
}

const Notices = () => {
  const t = useTexts('me').notices
  const { me } = useHere().session
  const { data: mfa } = useSuspenseQuery(mfaQuery)
  const open = [
    ...(me.emailConfirmed ? [] : [t.unconfirmed(me.email)]),
    ...(mfa.enabled ? [] : [t.noMfa]),
    ...(mfa.enabled && mfa.recoveryCodes === 0 ? [t.noRecovery] : []),
  ]
  return (
    <Card title={t.title}>
      {open.length === 0 && <p>{t.none}</p>}
      {open.map((text) => (
        <div key={text} className="notice warn">
          <p>{text}</p>
        </div>
      ))}
      {mfa.enabled && mfa.acr !== '2fa' && (
        <div className="notice warn">
          <p>{t.oneFactor}</p>
          <SignInAgain again />
        </div>
      )}
      <p className="muted">{t.mails(me.email)}</p>
    </Card>
  )
}

const Removal = () => {
  const t = useTexts('me').remove
  const { me } = useHere().session
  const remove = async () => {
    await api.deleteUser({ params: { id: me.id } })
    location.assign('/')
  }
  return <RemovalCard texts={t} name={me.username} onConfirm={remove} />
}
