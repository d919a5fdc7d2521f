-- What is older has no position: the sequence begins with this release, and after every number that orders a delivery.
do $$
begin
  execute format('create sequence event_positions start %s', (select coalesce(max(sequence), 0) + 1 from outbox));
end
$$;

alter table outbox add column position bigint;
comment on column outbox.position is 'Its place in the sequence that every reader sees, given when it is dispatched; 0 if it has none';

create index outbox_positions on outbox (owner_id, position) where position > 0;
create index outbox_without_position on outbox (sequence) where dispatched_at is not null and position is null;
