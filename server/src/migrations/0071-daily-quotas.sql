-- One count for all that is limited per company and day. Companies have webhooks until their last event, also when they
-- are deleted, so there is no foreign key. certificate_quotas, delivery_quotas and mail_quotas are unused from here on;
-- processes of the release before still write them during an update.

create table daily_quotas (
  company_id uuid not null,
  day date not null,
  counted text not null check (counted in ('certificates', 'deliveries', 'mails')),
  slot smallint not null,
  used int not null,
  is_refused boolean not null default false,
  primary key (company_id, day, counted, slot)
);
comment on table daily_quotas is 'How much a company used on a day (UTC) of what is limited per day, in both modes';
comment on column daily_quotas.slot is 'Chosen at random for each transaction; the number of the day is the sum of all slots';
comment on column daily_quotas.is_refused is 'Whether something was refused on this day, so that its admins are told once';

insert into daily_quotas (company_id, day, counted, slot, used)
  select company_id, day, 'certificates', slot, accepted from certificate_quotas;
insert into daily_quotas (company_id, day, counted, slot, used)
  select company_id, day, 'deliveries', 0, admitted from delivery_quotas;
insert into daily_quotas (company_id, day, counted, slot, used, is_refused)
  select company_id, day, 'mails', 0, admitted, notified from mail_quotas;
