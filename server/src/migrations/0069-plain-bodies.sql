-- Most of a certificate's bytes are a logo, which cannot become smaller: trying takes longer than writing them. An event
-- has the certificate in it, and the broker a copy of the event.
alter table certificates alter column body set storage external;
alter table outbox alter column payload set storage external;
alter table broker_messages alter column payload set storage external;
