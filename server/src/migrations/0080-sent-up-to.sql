alter table broker_sessions add column sent_up_to bigint not null default 0;
comment on column broker_sessions.sent_up_to is 'Messages up to this place were sent before; sent again, they are marked as repeated';
