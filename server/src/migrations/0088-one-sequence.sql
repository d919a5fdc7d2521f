create sequence event_positions;
select setval('event_positions', (select coalesce(max(sequence), 0) + 1 from outbox), false);

-- What is older keeps 0: the sequence begins with this release.
alter table outbox add column position bigint default 0;
alter table outbox alter column position drop default;
comment on column outbox.position is 'Its place in the sequence that every reader sees, given when it is dispatched; 0 if it has none';

create index outbox_positions on outbox (owner_id, position) where position > 0;
create index outbox_without_position on outbox (sequence) where dispatched_at is not null and position is null;
