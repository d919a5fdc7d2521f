-- Members who issue certificates without being admins.

-- Beside role, which is then operator: processes of the release before take a role that they do not know for the highest.
alter table company_members add column duty text constraint company_members_duty_check check (duty in ('clerk', 'approver'));
alter table invitations add column duty text constraint invitations_duty_check check (duty in ('clerk', 'approver'));
comment on column company_members.duty is 'What a member is whose role is operator, if it is more than that';
comment on column invitations.duty is 'As in company_members';
