import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ApiError } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice, Problem } from '../../ui/problem.tsx'
import { Card } from '../../ui/screen.tsx'
import { sessionsQuery } from './me-queries.ts'

const empty = { current: '', next: '', again: '' }
const shortest = 8

type Typed = typeof empty

const useChange = (typed: Typed, onDone: () => void) => {
  const { me } = useHere().session
  const queries = useQueryClient()
  return useMutation({
    gcTime: 0,
    mutationFn: () =>
      api.changePassword({
        params: { id: me.id },
        body: { password: typed.next, currentPassword: typed.current },
      }),
    onSuccess: () => {
      onDone()
      return queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
  })
}

export const Password = () => {
  const t = useTexts('me').password
  const [typed, setTyped] = useState(empty)
  const change = useChange(typed, () => setTyped(empty))
  const isWrong = change.error instanceof ApiError && change.error.code === 'step_up_required'
  const problems = {
    current: isWrong ? t.wrong : undefined,
    next: typed.next !== '' && typed.next.length < shortest ? t.tooShort : undefined,
    again: typed.again !== '' && typed.again !== typed.next ? t.differs : undefined,
  }
  const set = (name: keyof Typed, value: string) => {
    if (name === 'current') change.reset()
    setTyped({ ...typed, [name]: value })
  }
  const isReady = typed.current !== '' && typed.next.length >= shortest && typed.again === typed.next
  return (
    <Card title={t.title}>
      <Form
        action={t.change}
        kind="plain"
        isPending={change.isPending}
        isDisabled={!isReady}
        onSubmit={() => change.mutate()}
      >
        {(['current', 'next', 'again'] as const).map((name) => (
          <TextField
            key={name}
            label={t[name]}
            type="password"
            autoComplete={name === 'current' ? 'current-password' : 'new-password'}
            value={typed[name]}
            onChange={(value) => set(name, value)}
            problem={problems[name]}
            hint={name === 'next' ? t.rule : undefined}
          />
        ))}
        {change.isSuccess && (
          <Notice kind="good">
            <p>{t.changed}</p>
          </Notice>
        )}
        {change.error !== null && !isWrong && <Problem error={change.error} title={t.failed} />}
      </Form>
    </Card>
  )
}
