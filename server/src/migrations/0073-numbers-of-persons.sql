-- Invitations and deleted companies count for the person and the VAT id, which stay when a company is deleted.

alter table daily_quotas drop constraint daily_quotas_counted_check;
comment on column daily_quotas.company_id is 'Whose number it is: a company, a person, or a VAT id as a UUID of version 8';

insert into daily_quotas (company_id, day, counted, slot, used)
  select i.inviter_id, (i.created_at at time zone 'UTC')::date, 'invitations', 0, count(*)
  from invitations i join companies c on c.id = i.company_id
  where c.verified_at is null group by 1, 2
on conflict do nothing;
