import type { UpdateUser } from '@millseal/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'
import { useHere } from '../../shell/here.ts'
import { applyTheme, currentTheme, themes } from '../../shell/theme.ts'
import { changeLanguage, useLanguage, useTexts } from '../../texts/catalog.ts'
import { languages, type Language } from '../../texts/languages.ts'
import { TextField } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice, Problem } from '../../ui/problem.tsx'
import { Card } from '../../ui/screen.tsx'

export const Account = () => {
  const t = useTexts('me')
  return (
    <Card title={t.account}>
      <Name />
      <Email />
      <Preferences />
    </Card>
  )
}

const useSaving = () => {
  const queries = useQueryClient()
  const { me } = useHere().session
  return useMutation({
    mutationFn: (body: UpdateUser) => api.updateUser({ params: { id: me.id }, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
}

const Name = () => {
  const t = useTexts('me')
  const { me } = useHere().session
  const [username, setUsername] = useState(me.username)
  const saving = useSaving()
  const isUsable = /^[\p{L}\p{M}\p{Nd}._+-]{4,64}$/u.test(username)
  return (
    <Form
      action={t.saveName}
      kind="plain"
      isInline
      isPending={saving.isPending}
      isDisabled={!isUsable || username === me.username}
      onSubmit={() => saving.mutate({ username })}
      beside={saving.isSuccess && <span role="status">{t.saved}</span>}
    >
      <TextField
        label={t.username}
        autoComplete="username"
        value={username}
        onChange={setUsername}
        problem={isUsable ? undefined : t.usernameRule}
      />
      {saving.error !== null && <Problem error={saving.error} title={t.notSaved} />}
    </Form>
  )
}

const Email = () => {
  const t = useTexts('me')
  const { me } = useHere().session
  const [email, setEmail] = useState(me.email)
  const saving = useSaving()
  const save = () => saving.mutate({ email: email.trim() })
  return (
    <Form
      action={t.saveEmail}
      kind="plain"
      isInline
      isPending={saving.isPending}
      isDisabled={!email.includes('@') || email.trim() === me.email}
      onSubmit={save}
    >
      <TextField
        label={t.email}
        type="email"
        autoComplete="email"
        value={email}
        onChange={setEmail}
        hint={t.emailHint}
      />
      {saving.isSuccess && (
        <Notice kind="good">
          <p>{t.emailSent(saving.variables.email ?? '')}</p>
        </Notice>
      )}
      {saving.error !== null && <Problem error={saving.error} title={t.notSaved} onRetry={save} />}
    </Form>
  )
}

const Preferences = () => {
  const t = useTexts('me')
  const shell = useTexts('shell')
  const [theme, setTheme] = useState(currentTheme)
  const saving = useSaving()
  const choose = (language: Language) => {
    saving.mutate({ language })
    void changeLanguage(language)
  }
  return (
    <div className="pair">
      <Select
        label={t.language}
        options={Object.entries(languages).map(([id, label]) => ({ id: id as Language, label }))}
        value={useLanguage()}
        onChange={choose}
        hint={t.languageHint}
      />
      <Select
        label={t.theme}
        options={themes.map((id) => ({ id, label: shell.themes[id] }))}
        value={theme}
        onChange={(next) => {
          applyTheme(next)
          setTheme(next)
        }}
      />
      {saving.error !== null && <Problem error={saving.error} title={t.notSaved} />}
    </div>
  )
}
