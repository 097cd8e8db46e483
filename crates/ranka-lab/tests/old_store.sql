-- A store of version 0.1.0: see old_store.rs.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE pairings (
        id       INTEGER PRIMARY KEY,
        identity TEXT NOT NULL UNIQUE,
        game     TEXT NOT NULL,
        version  INTEGER NOT NULL,
        rules    TEXT NOT NULL,
        agents   TEXT NOT NULL,
        seating  TEXT NOT NULL,
        deal     INTEGER NOT NULL, -- how many games share one
        seed     INTEGER NOT NULL,
        budget   TEXT,
        measures TEXT NOT NULL,
        start    TEXT NOT NULL
    );
INSERT INTO pairings VALUES(1,'b7f2c2b172f222843971b177488862ec','kalah',1,'houses=2,seeds=1,capture=nonempty,end=mover_empty,leftover=none,early_majority=on,pie=off','["max-q:q=exact,backup=random_env,reward=level,discount=auto,ties=uniform","random"]','swapped',2,3,NULL,'[]','<2,0,0,1,1,1,1> S');
INSERT INTO pairings VALUES(2,'e09f0a38c0b82cb18d442ca7312a7579','kalah',1,'houses=3,seeds=2,capture=nonempty,end=either_empty,leftover=opponent_of_emptied,early_majority=off,pie=on','["minimax:depth=2,unit=turn,ties=uniform","random"]','swapped',2,4,'nodes=500','[]','<3,0,0,2,2,2,2,2,2> S pie');
INSERT INTO pairings VALUES(3,'6bb2582502b9f0aea6e4dde2315ee2e6','kalah',1,'houses=2,seeds=2,capture=nonempty,end=either_empty,leftover=owner,early_majority=off,pie=off','["minimax:depth=1,unit=sowing,ties=uniform","random"]','random',1,0,NULL,'[]','<2,0,0,2,2,2,2> S');
INSERT INTO pairings VALUES(4,'e92042ff3fa7f8d773e289192966212e','geister',1,'plies=9','["purple-max:depth=2,static-exit=on,ties=uniform,explain=off,setup=random,dfpn=0,dfpn-nodes=5000","suspicion:depth=2,static-exit=on,ties=first,explain=off,threshold=1,setup=random,dfpn=0,dfpn-nodes=5000"]','swapped',2,5,NULL,'[]','6/6/6/6/6/6 1 - 0');
INSERT INTO pairings VALUES(5,'c6e650db260440d3058a03dd5539416c','labyrinth',1,'players=2,return_home=off,cards_per_player=1,shuffle=uniform,open_hands=on,ply_cap=6,homes=auto,first=0','["big-brain:preset=source,entries=preset,dedupe=preset,fallback=preset,budget=2,ms=0","saboteur:factor=1,entries=source8"]','swapped',2,6,NULL,'[]','tiles=L1,L3,T1:KnightHelmet,T1:Bat,T1:Candles,L1:Bomb,L2/I1,I0,I1,L3,L0,T1:Mermaid,T3:Pony/T0:Dagger,L3:Mouse,T0:Diamond,L3,T1:Treasure,I0,T2:Ring/L1,L1,L2,L1:Owl,L2,I1,L1:Bug/T0:HolyGrail,I1,T3:Keys,I1,T2:Crown,I1,T2:Potion/T1:Ghost,L0,I1,I0,L2:Lizard,L3:Cat,I0/L0,T0:Cannon,T3:Coins,L3,T3:Book,I0,L3 extra=T1:Dinosaur pawns=0,0;6,6 homes=0,0;6,6 cards=Bat;Potion found=-;- last=- mover=0 phase=push ply=0');
INSERT INTO pairings VALUES(6,'1b661beea6054f4a6d46e384063bd360','labyrinth',1,'players=3,return_home=on,cards_per_player=1,shuffle=max-region-4,open_hands=off,ply_cap=6,homes=auto,first=0','["distance:threshold=14,budget=2,ties=first,target=after-push,entries=legal","random","random-original"]','swapped',3,6,NULL,'[]','tiles=L1,L0:Bug,T1:KnightHelmet,L3,T1:Candles,L3,L2/T1:Mermaid,L2:Cat,I1,L3,T2:Pony,L1:Bomb,I1/T0:Dagger,I1,T0:Diamond,L3,T1:Treasure,L0,T2:Ring/L2:Owl,I0,L3:Lizard,I0,L0,I0,L2:Mouse/T0:HolyGrail,I1,T3:Keys,T0:Ghost,T2:Crown,T3:Bat,T2:Potion/I1,I0,T0:Dinosaur,I1,L1,T0:Cannon,I1/L0,I0,T3:Coins,L3,T3:Book,L2,L3 extra=L2 pawns=0,0;6,0;6,6 homes=0,0;6,0;6,6 cards=Treasure;Bat;Pony found=-;-;- last=- mover=0 phase=push ply=0');
INSERT INTO pairings VALUES(7,'3f3b8eba4949641f98c80fa4fbfb9be7','tubstap',1,'map=duel,power=program,judge=strict,limit=3,effective_only=on,noise=off','["uct:playouts=20,expand=2,c=0.15,opponent=min,final=mean,total=root,attack=0.8,score=rules,prune=\"\",threshold=0.75,shuffle=-1,init=\"\"","dlmc:m=3,d=1,n=2,sample=attack_first,policy=mix70,eval=weighted"]','swapped',2,7,NULL,'[]','grid=0000000/0113110/0141310/0316130/0131410/0113110/0000000 units=0:P:r:1,1:10:0;1:I:r:2,1:10:0;2:P:b:5,5:10:0;3:I:b:4,5:10:0 turn=0 limit=3 threshold=5 first=r');
INSERT INTO pairings VALUES(8,'dd70d2b42b7fcfd6a4642ecc29449fc6','tantrix',1,'players=2,colours=RBGY,exactly3=off','["small-loop:playouts=4,ms=0,value=arctan,slope=0.1,c=0.3,expand=0,choice=visits,chance=open,trees=8,playout=gibbs,tau=0.1,epsilon=0.2,unseen=0.5,decay=0,order=on,loop_weight=1,loop_most=5,loop_until=9,endgame=0,endgame_nodes=200000","counting-obstructor:playouts=4,ms=0,value=arctan,slope=0.1,c=0.3,expand=0,choice=visits,chance=open,trees=8,playout=gibbs,tau=0.1,epsilon=0.2,unseen=0.5,decay=0,order=on,ends=one,several=every,loops=free,longest=points,count_forced=on,tested=leaf,ply=tested,shift=all,from=20,turning=30,until=40,middle=2,late=6,count_weight=1,endgame=0,endgame_nodes=100"]','fixed',1,8,NULL,'[]','board=- hands=10,38,34,33,43,53;23,56,1,44,12,39 bag=2,3,4,5,6,7,8,9,11,13,14,15,16,17,18,19,20,21,22,24,25,26,27,28,29,30,31,32,35,36,37,40,41,42,45,46,47,48,49,50,51,52,54,55 colours=R,B mover=0 freed=0 phase=free');
INSERT INTO pairings VALUES(9,'4a96b67f6fb665b29ee9d4a84a7c2712','kalah',1,'houses=2,seeds=2,capture=nonempty,end=either_empty,leftover=owner,early_majority=off,pie=off','["minimax:depth=2,unit=sowing,ties=uniform","random"]','swapped',2,9,NULL,'["plies","margin","value"]','<2,0,0,2,2,2,2> S');
CREATE TABLE builds (
        id       INTEGER PRIMARY KEY,
        digest   TEXT NOT NULL UNIQUE,
        version  TEXT NOT NULL
    );
INSERT INTO builds VALUES(1,'fc1bd9888ec6e4ffea1d055dabe5db1a','0.1.0');
CREATE TABLE games (
        pairing  INTEGER NOT NULL REFERENCES pairings (id) ON DELETE CASCADE,
        number   INTEGER NOT NULL,
        build    INTEGER NOT NULL REFERENCES builds (id),
        seats    TEXT NOT NULL,
        scores   TEXT NOT NULL,
        plies    INTEGER NOT NULL,
        reason   TEXT NOT NULL,
        blame    INTEGER,
        detail   TEXT,
        measured TEXT,
        start    TEXT,
        actions  TEXT NOT NULL,
        PRIMARY KEY (pairing, number)
    ) WITHOUT ROWID;
INSERT INTO games VALUES(1,0,1,'0 1','1 0',2,'rules',NULL,NULL,NULL,NULL,'2 1');
INSERT INTO games VALUES(1,1,1,'1 0','1 0',2,'rules',NULL,NULL,NULL,NULL,'2 1');
INSERT INTO games VALUES(2,0,1,'0 1','1 0',13,'rules',NULL,NULL,NULL,NULL,'2 1 1 3 1 2 3 3 1 1 2 1 3');
INSERT INTO games VALUES(2,1,1,'1 0','0 1',8,'rules',NULL,NULL,NULL,NULL,'1 2 3 3 2 2 2 3');
INSERT INTO games VALUES(3,0,1,'1 0','0 1',2,'rules',NULL,NULL,NULL,NULL,'1 2');
INSERT INTO games VALUES(3,1,1,'0 1','0 1',2,'rules',NULL,NULL,NULL,NULL,'1 2');
INSERT INTO games VALUES(3,2,1,'0 1','0.5 0.5',7,'rules',NULL,NULL,NULL,NULL,'2 1 1 2 2 1 2');
INSERT INTO games VALUES(3,3,1,'1 0','1 0',6,'rules',NULL,NULL,NULL,NULL,'2 2 1 1 1 2');
INSERT INTO games VALUES(4,0,1,'0 1','0.5 0.5',11,'rules',NULL,NULL,NULL,NULL,'set:ADFH set:BCGH e5e4 e2f2 d5d4 f2f3 b5b4 d2d3 d4c4 d3d4 c4d4');
INSERT INTO games VALUES(4,1,1,'1 0','0.5 0.5',11,'rules',NULL,NULL,NULL,NULL,'set:CDFH set:BEFG b5b4 c2c3 b4a4 d2d3 a4a3 e1f1 c5b5 d3e3 b5b4');
INSERT INTO games VALUES(5,0,1,'0 1','1 0',2,'rules',NULL,NULL,NULL,NULL,'p0r1 m3,0');
INSERT INTO games VALUES(5,1,1,'1 0','0.5 0.5',6,'rules',NULL,NULL,NULL,NULL,'p5r3 m0,0 p6r0 m5,6 p5r0 m0,0');
INSERT INTO games VALUES(6,0,1,'0 1 2','0.3333333333333333 0.3333333333333333 0.3333333333333333',6,'rules',NULL,NULL,NULL,NULL,'p11r0 m3,2 p4r1 m6,0 p9r1 m5,3');
INSERT INTO games VALUES(6,1,1,'1 2 0','0.3333333333333333 0.3333333333333333 0.3333333333333333',6,'rules',NULL,NULL,NULL,NULL,'p11r1 m0,0 p9r0 m6,0 p2r0 m5,2');
INSERT INTO games VALUES(6,2,1,'2 0 1','0.3333333333333333 0.3333333333333333 0.3333333333333333',6,'rules',NULL,NULL,NULL,NULL,'p3r1 m0,0 p3r0 m5,2 p10r0 m6,6');
INSERT INTO games VALUES(7,0,1,'0 1','0.5 0.5',6,'rules',NULL,NULL,NULL,NULL,'0@1,4 1@1,1 2@2,4>0 3@1,5>0 0@3,4>2 1@2,3>2');
INSERT INTO games VALUES(7,1,1,'1 0','0 1',5,'rules',NULL,NULL,NULL,NULL,'0@2,5 1@3,3 2@3,4>1 3@4,3>1 0@3,5>2');
INSERT INTO games VALUES(8,0,1,'0 1','0 1',56,'rules',NULL,NULL,NULL,NULL,'10@0,0/0 draw:55 1@0,1/1 draw:17 33@0,2/1 draw:40 12@1,-1/1 draw:27 23@1,0/0 draw:11 27@1,1/2 draw:21 34@0,3/2 draw:37 11@2,-2/0 draw:16 56@2,-1/3 draw:2 43@2,0/5 draw:45 37@0,4/4 draw:24 2@-1,1/0 draw:3 24@0,5/2 draw:47 3@0,6/4 draw:5 40@3,-3/2 draw:50 16@3,-2/5 draw:18 18@3,-1/1 draw:20 5@-2,1/3 draw:14 38@-3,1/1 draw:32 14@0,7/4 draw:26 32@-4,1/1 draw:9 9@-1,2/3 draw:36 45@-1,3/4 draw:46 47@-1,4/0 draw:13 17@-2,2/4 draw:41 26@-1,5/2 draw:22 41@1,2/0 draw:28 28@-1,6/1 draw:30 20@0,8/1 draw:54 46@1,3/1 draw:15 36@2,1/5 draw:7 55@-1,7/1 draw:42 15@2,2/2 draw:31 31@3,0/1 draw:52 50@-1,8/5 draw:8 42@-3,2/0 draw:48 7@4,-2/0 draw:25 25@-2,3/1 draw:51 52@4,-1/3 draw:35 22@4,-3/4 draw:19 39@-2,4/0 draw:29 30@1,4/5 draw:4 29@1,5/1 draw:49 44@2,3/4 draw:6 6@-1,0/2 21@3,1/4 19@4,0/2 54@1,6/0 4@-5,2/0 13@-2,0/5 35@2,4/1 8@2,5/4 48@0,-1/2 51@-2,5/3 53@-5,1/0 49@0,9/0');
INSERT INTO games VALUES(9,0,1,'0 1','1 0',6,'rules',NULL,NULL,'[[6.0],[2.0,-2.0],[0.0,null,null,null,0.0,null,null,null,5000.0,null,null,null]]',NULL,'2 2 1 1 1 2');
INSERT INTO games VALUES(9,1,1,'1 0','1 0',6,'rules',NULL,NULL,'[[6.0],[2.0,-2.0],[null,null,null,-1.0,null,null,null,-1.0,null,null,null,-5000.0]]',NULL,'2 2 1 1 1 2');
CREATE TABLE records (
        id       INTEGER PRIMARY KEY,
        digest   TEXT NOT NULL UNIQUE,
        game     TEXT NOT NULL,
        record   TEXT NOT NULL
    );
INSERT INTO records VALUES(1,'c29ab7a50d7088e5aa52258a3132898c','kalah','{"format":1,"game":"kalah","version":1,"rules":"houses=2,seeds=1,capture=nonempty,end=either_empty,leftover=owner,early_majority=on,pie=off","seed":[0,0,0],"agents":["random","random"],"numbers":[0,1],"start":"<2,0,0,1,1,1,1> S","actions":"1 1 2","plies":3,"end":{"reason":"rules"},"outcome":[0.0,1.0]}');
CREATE TABLE labels (
        id         INTEGER PRIMARY KEY,
        game       TEXT NOT NULL,
        collection TEXT NOT NULL,
        rules      TEXT NOT NULL,
        position   TEXT NOT NULL,
        action     TEXT NOT NULL,
        label      TEXT NOT NULL
    );
CREATE TABLE tables (
        id       TEXT PRIMARY KEY,
        opening  TEXT NOT NULL,
        actions  TEXT NOT NULL,
        ending   TEXT,
        aside    TEXT NOT NULL,
        changed  INTEGER NOT NULL -- seconds since 1970
    ) WITHOUT ROWID;
CREATE TABLE reports (
        experiment TEXT PRIMARY KEY,
        size       TEXT NOT NULL,
        verdicts   TEXT NOT NULL,
        made       INTEGER NOT NULL,
        page       TEXT NOT NULL
    ) WITHOUT ROWID;
CREATE INDEX labels_of_a_collection ON labels (game, collection);
CREATE INDEX tables_by_change ON tables (changed);
COMMIT;
PRAGMA user_version = 4;
PRAGMA application_id = 1380862785;
