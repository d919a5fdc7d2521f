import type { Block, Text } from '../model/document.ts'
import { table } from './blocks.ts'
import type { Contact } from './companies.ts'

export const contactsTable = (
  contacts: readonly Contact[],
  labels: { name: Text; role: Text; department: Text; email: Text; phone: Text },
): readonly Block[] =>
  table([
    { label: labels.name, cells: contacts.map(({ name }) => name) },
    { label: labels.role, cells: contacts.map(({ role }) => role) },
    { label: labels.department, cells: contacts.map(({ department }) => department) },
    { label: labels.email, cells: contacts.map(({ email }) => email) },
    { label: labels.phone, isName: true, cells: contacts.map(({ phone }) => phone) },
  ])
