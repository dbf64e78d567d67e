#define rand	pan_rand
#define pthread_equal(a,b)	((a)==(b))
#if defined(HAS_CODE) && defined(VERBOSE)
	#ifdef BFS_PAR
		bfs_printf("Pr: %d Tr: %d\n", II, t->forw);
	#else
		cpu_printf("Pr: %d Tr: %d\n", II, t->forw);
	#endif
#endif
	switch (t->forw) {
	default: Uerror("bad forward move");
	case 0:	/* if without executable clauses */
		continue;
	case 1: /* generic 'goto' or 'skip' */
		IfNotBlocked
		_m = 3; goto P999;
	case 2: /* generic 'else' */
		IfNotBlocked
		if (trpt->o_pm&1) continue;
		_m = 3; goto P999;

		 /* CLAIM ends */
	case 3: // STATE 1 - _spin_nvr.tmp:13 - [(!((done==4)))] (0:0:0 - 1)
		
#if defined(VERI) && !defined(NP)
#if NCLAIMS>1
		{	static int reported1 = 0;
			if (verbose && !reported1)
			{	int nn = (int) ((Pclaim *)pptr(0))->_n;
				printf("depth %ld: Claim %s (%d), state %d (line %d)\n",
					depth, procname[spin_c_typ[nn]], nn, (int) ((Pclaim *)pptr(0))->_p, src_claim[ (int) ((Pclaim *)pptr(0))->_p ]);
				reported1 = 1;
				fflush(stdout);
		}	}
#else
		{	static int reported1 = 0;
			if (verbose && !reported1)
			{	printf("depth %d: Claim, state %d (line %d)\n",
					(int) depth, (int) ((Pclaim *)pptr(0))->_p, src_claim[ (int) ((Pclaim *)pptr(0))->_p ]);
				reported1 = 1;
				fflush(stdout);
		}	}
#endif
#endif
		reached[5][1] = 1;
		if (!( !((((int)now.done)==4))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 4: // STATE 6 - _spin_nvr.tmp:15 - [-end-] (0:0:0 - 1)
		
#if defined(VERI) && !defined(NP)
#if NCLAIMS>1
		{	static int reported6 = 0;
			if (verbose && !reported6)
			{	int nn = (int) ((Pclaim *)pptr(0))->_n;
				printf("depth %ld: Claim %s (%d), state %d (line %d)\n",
					depth, procname[spin_c_typ[nn]], nn, (int) ((Pclaim *)pptr(0))->_p, src_claim[ (int) ((Pclaim *)pptr(0))->_p ]);
				reported6 = 1;
				fflush(stdout);
		}	}
#else
		{	static int reported6 = 0;
			if (verbose && !reported6)
			{	printf("depth %d: Claim, state %d (line %d)\n",
					(int) depth, (int) ((Pclaim *)pptr(0))->_p, src_claim[ (int) ((Pclaim *)pptr(0))->_p ]);
				reported6 = 1;
				fflush(stdout);
		}	}
#endif
#endif
		reached[5][6] = 1;
		if (!delproc(1, II)) continue;
		_m = 3; goto P999; /* 0 */

		 /* CLAIM within */
	case 5: // STATE 1 - _spin_nvr.tmp:3 - [(!((((admitted[0]<=1)&&(admitted[1]<=1))&&(admitted[2]<=1))))] (6:0:0 - 1)
		
#if defined(VERI) && !defined(NP)
#if NCLAIMS>1
		{	static int reported1 = 0;
			if (verbose && !reported1)
			{	int nn = (int) ((Pclaim *)pptr(0))->_n;
				printf("depth %ld: Claim %s (%d), state %d (line %d)\n",
					depth, procname[spin_c_typ[nn]], nn, (int) ((Pclaim *)pptr(0))->_p, src_claim[ (int) ((Pclaim *)pptr(0))->_p ]);
				reported1 = 1;
				fflush(stdout);
		}	}
#else
		{	static int reported1 = 0;
			if (verbose && !reported1)
			{	printf("depth %d: Claim, state %d (line %d)\n",
					(int) depth, (int) ((Pclaim *)pptr(0))->_p, src_claim[ (int) ((Pclaim *)pptr(0))->_p ]);
				reported1 = 1;
				fflush(stdout);
		}	}
#endif
#endif
		reached[4][1] = 1;
		if (!( !((((((int)now.admitted[0])<=1)&&(((int)now.admitted[1])<=1))&&(((int)now.admitted[2])<=1)))))
			continue;
		/* merge: assert(!(!((((admitted[0]<=1)&&(admitted[1]<=1))&&(admitted[2]<=1)))))(0, 2, 6) */
		reached[4][2] = 1;
		spin_assert( !( !((((((int)now.admitted[0])<=1)&&(((int)now.admitted[1])<=1))&&(((int)now.admitted[2])<=1)))), " !( !((((admitted[0]<=1)&&(admitted[1]<=1))&&(admitted[2]<=1))))", II, tt, t);
		/* merge: .(goto)(0, 7, 6) */
		reached[4][7] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 6: // STATE 10 - _spin_nvr.tmp:8 - [-end-] (0:0:0 - 1)
		
#if defined(VERI) && !defined(NP)
#if NCLAIMS>1
		{	static int reported10 = 0;
			if (verbose && !reported10)
			{	int nn = (int) ((Pclaim *)pptr(0))->_n;
				printf("depth %ld: Claim %s (%d), state %d (line %d)\n",
					depth, procname[spin_c_typ[nn]], nn, (int) ((Pclaim *)pptr(0))->_p, src_claim[ (int) ((Pclaim *)pptr(0))->_p ]);
				reported10 = 1;
				fflush(stdout);
		}	}
#else
		{	static int reported10 = 0;
			if (verbose && !reported10)
			{	printf("depth %d: Claim, state %d (line %d)\n",
					(int) depth, (int) ((Pclaim *)pptr(0))->_p, src_claim[ (int) ((Pclaim *)pptr(0))->_p ]);
				reported10 = 1;
				fflush(stdout);
		}	}
#endif
#endif
		reached[4][10] = 1;
		if (!delproc(1, II)) continue;
		_m = 3; goto P999; /* 0 */

		 /* PROC :init: */
	case 7: // STATE 1 - table.pml:210 - [epoch[0].published = 1] (0:0:1 - 1)
		IfNotBlocked
		reached[3][1] = 1;
		(trpt+1)->bup.oval = ((int)now.epoch[0].published);
		now.epoch[0].published = 1;
#ifdef VAR_RANGES
		logval("epoch[0].published", ((int)now.epoch[0].published));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 8: // STATE 2 - table.pml:211 - [epoch[0].published = 1] (0:9:4 - 1)
		IfNotBlocked
		reached[3][2] = 1;
		(trpt+1)->bup.ovals = grab_ints(4);
		(trpt+1)->bup.ovals[0] = ((int)now.epoch[0].published);
		now.epoch[0].published = 1;
#ifdef VAR_RANGES
		logval("epoch[0].published", ((int)now.epoch[0].published));
#endif
		;
		/* merge: epoch[0].v = 1(9, 3, 9) */
		reached[3][3] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.epoch[0].v);
		now.epoch[0].v = 1;
#ifdef VAR_RANGES
		logval("epoch[0].v", ((int)now.epoch[0].v));
#endif
		;
		/* merge: truth = 1(9, 4, 9) */
		reached[3][4] = 1;
		(trpt+1)->bup.ovals[2] = ((int)now.truth);
		now.truth = 1;
#ifdef VAR_RANGES
		logval("truth", ((int)now.truth));
#endif
		;
		/* merge: admitted[0] = 1(9, 5, 9) */
		reached[3][5] = 1;
		(trpt+1)->bup.ovals[3] = ((int)now.admitted[0]);
		now.admitted[0] = 1;
#ifdef VAR_RANGES
		logval("admitted[0]", ((int)now.admitted[0]));
#endif
		;
		/* merge: .(goto)(0, 8, 9) */
		reached[3][8] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 9: // STATE 9 - table.pml:214 - [(run decider())] (0:0:0 - 4)
		IfNotBlocked
		reached[3][9] = 1;
		if (!(addproc(II, 1, 0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 10: // STATE 10 - table.pml:215 - [(run decider())] (0:0:0 - 1)
		IfNotBlocked
		reached[3][10] = 1;
		if (!(addproc(II, 1, 0)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 11: // STATE 11 - table.pml:216 - [(run sweeper())] (0:0:0 - 1)
		IfNotBlocked
		reached[3][11] = 1;
		if (!(addproc(II, 1, 1)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 12: // STATE 12 - table.pml:217 - [(run inserter())] (0:0:0 - 1)
		IfNotBlocked
		reached[3][12] = 1;
		if (!(addproc(II, 1, 2)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 13: // STATE 14 - table.pml:219 - [((done==4))] (0:0:0 - 1)
		IfNotBlocked
		reached[3][14] = 1;
		if (!((((int)now.done)==4)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 14: // STATE 15 - table.pml:223 - [assert((!(epoch[dir].published)||(( ((epoch[dir].v>epoch[dir].born)) -> (epoch[dir].v) : (epoch[dir].born) )==( ((truth>epoch[dir].born)) -> (truth) : (epoch[dir].born) ))))] (0:0:0 - 1)
		IfNotBlocked
		reached[3][15] = 1;
		spin_assert(( !(((int)now.epoch[ Index(((int)now.dir), 4) ].published))||(( ((((int)now.epoch[ Index(((int)now.dir), 4) ].v)>((int)now.epoch[ Index(((int)now.dir), 4) ].born))) ? (((int)now.epoch[ Index(((int)now.dir), 4) ].v)) : (((int)now.epoch[ Index(((int)now.dir), 4) ].born)) )==( ((((int)now.truth)>((int)now.epoch[ Index(((int)now.dir), 4) ].born))) ? (((int)now.truth)) : (((int)now.epoch[ Index(((int)now.dir), 4) ].born)) ))), "( !(epoch[dir].published)||(( ((epoch[dir].v>epoch[dir].born)) ? (epoch[dir].v) : (epoch[dir].born) )==( ((truth>epoch[dir].born)) ? (truth) : (epoch[dir].born) )))", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 15: // STATE 16 - table.pml:224 - [assert((epoch[dir].published||(truth<=epoch[dir].born)))] (0:0:0 - 1)
		IfNotBlocked
		reached[3][16] = 1;
		spin_assert((((int)now.epoch[ Index(((int)now.dir), 4) ].published)||(((int)now.truth)<=((int)now.epoch[ Index(((int)now.dir), 4) ].born))), "(epoch[dir].published||(truth<=epoch[dir].born))", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 16: // STATE 17 - table.pml:225 - [-end-] (0:0:0 - 1)
		IfNotBlocked
		reached[3][17] = 1;
		if (!delproc(1, II)) continue;
		_m = 3; goto P999; /* 0 */

		 /* PROC inserter */
	case 17: // STATE 1 - table.pml:202 - [(!(locked))] (41:0:1 - 1)
		IfNotBlocked
		reached[2][1] = 1;
		if (!( !(((int)now.locked))))
			continue;
		/* merge: locked = 1(0, 2, 41) */
		reached[2][2] = 1;
		(trpt+1)->bup.oval = ((int)now.locked);
		now.locked = 1;
#ifdef VAR_RANGES
		logval("locked", ((int)now.locked));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 18: // STATE 4 - table.pml:69 - [from = dir] (0:0:1 - 1)
		IfNotBlocked
		reached[2][4] = 1;
		(trpt+1)->bup.oval = ((int)((P2 *)_this)->from);
		((P2 *)_this)->from = ((int)now.dir);
#ifdef VAR_RANGES
		logval("inserter:from", ((int)((P2 *)_this)->from));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 19: // STATE 5 - table.pml:70 - [last = (last+1)] (0:0:1 - 1)
		IfNotBlocked
		reached[2][5] = 1;
		(trpt+1)->bup.oval = ((int)now.last);
		now.last = (((int)now.last)+1);
#ifdef VAR_RANGES
		logval("last", ((int)now.last));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 20: // STATE 6 - table.pml:71 - [to = last] (0:0:1 - 1)
		IfNotBlocked
		reached[2][6] = 1;
		(trpt+1)->bup.oval = ((int)((P2 *)_this)->to);
		((P2 *)_this)->to = ((int)now.last);
#ifdef VAR_RANGES
		logval("inserter:to", ((int)((P2 *)_this)->to));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 21: // STATE 7 - table.pml:72 - [epoch[to].born = epoch[from].born] (0:0:1 - 1)
		IfNotBlocked
		reached[2][7] = 1;
		(trpt+1)->bup.oval = ((int)now.epoch[ Index(((int)((P2 *)_this)->to), 4) ].born);
		now.epoch[ Index(((P2 *)_this)->to, 4) ].born = ((int)now.epoch[ Index(((int)((P2 *)_this)->from), 4) ].born);
#ifdef VAR_RANGES
		logval("epoch[inserter:to].born", ((int)now.epoch[ Index(((int)((P2 *)_this)->to), 4) ].born));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 22: // STATE 9 - table.pml:76 - [epoch[to].born = ( ((epoch[from].born>0)) -> (epoch[from].born) : (0) )] (0:0:1 - 1)
		IfNotBlocked
		reached[2][9] = 1;
		(trpt+1)->bup.oval = ((int)now.epoch[ Index(((int)((P2 *)_this)->to), 4) ].born);
		now.epoch[ Index(((P2 *)_this)->to, 4) ].born = ( ((((int)now.epoch[ Index(((int)((P2 *)_this)->from), 4) ].born)>0)) ? (((int)now.epoch[ Index(((int)((P2 *)_this)->from), 4) ].born)) : (0) );
#ifdef VAR_RANGES
		logval("epoch[inserter:to].born", ((int)now.epoch[ Index(((int)((P2 *)_this)->to), 4) ].born));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 23: // STATE 14 - table.pml:82 - [(epoch[from].published)] (0:0:0 - 1)
		IfNotBlocked
		reached[2][14] = 1;
		if (!(((int)now.epoch[ Index(((int)((P2 *)_this)->from), 4) ].published)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 24: // STATE 15 - table.pml:83 - [v = epoch[from].v] (0:0:1 - 1)
		IfNotBlocked
		reached[2][15] = 1;
		(trpt+1)->bup.oval = ((int)((P2 *)_this)->v);
		((P2 *)_this)->v = ((int)now.epoch[ Index(((int)((P2 *)_this)->from), 4) ].v);
#ifdef VAR_RANGES
		logval("inserter:v", ((int)((P2 *)_this)->v));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 25: // STATE 16 - table.pml:85 - [((0&&(v<=0)))] (0:0:0 - 1)
		IfNotBlocked
		reached[2][16] = 1;
		if (!((0&&(((int)((P2 *)_this)->v)<=0))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 26: // STATE 17 - table.pml:92 - [((epoch[from].v==v))] (34:0:3 - 1)
		IfNotBlocked
		reached[2][17] = 1;
		if (!((((int)now.epoch[ Index(((int)((P2 *)_this)->from), 4) ].v)==((int)((P2 *)_this)->v))))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: v */  (trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((P2 *)_this)->v;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P2 *)_this)->v = 0;
		/* merge: epoch[from].sealed = 1(34, 18, 34) */
		reached[2][18] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.epoch[ Index(((int)((P2 *)_this)->from), 4) ].sealed);
		now.epoch[ Index(((P2 *)_this)->from, 4) ].sealed = 1;
#ifdef VAR_RANGES
		logval("epoch[inserter:from].sealed", ((int)now.epoch[ Index(((int)((P2 *)_this)->from), 4) ].sealed));
#endif
		;
		/* merge: v = 255(34, 19, 34) */
		reached[2][19] = 1;
		(trpt+1)->bup.ovals[2] = ((int)((P2 *)_this)->v);
		((P2 *)_this)->v = 255;
#ifdef VAR_RANGES
		logval("inserter:v", ((int)((P2 *)_this)->v));
#endif
		;
		/* merge: .(goto)(34, 22, 34) */
		reached[2][22] = 1;
		;
		/* merge: .(goto)(0, 26, 34) */
		reached[2][26] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 27: // STATE 22 - table.pml:95 - [.(goto)] (0:34:0 - 2)
		IfNotBlocked
		reached[2][22] = 1;
		;
		/* merge: .(goto)(0, 26, 34) */
		reached[2][26] = 1;
		;
		_m = 3; goto P999; /* 1 */
	case 28: // STATE 27 - table.pml:100 - [((v!=255))] (0:0:1 - 1)
		IfNotBlocked
		reached[2][27] = 1;
		if (!((((int)((P2 *)_this)->v)!=255)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: v */  (trpt+1)->bup.oval = ((P2 *)_this)->v;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P2 *)_this)->v = 0;
		_m = 3; goto P999; /* 0 */
	case 29: // STATE 28 - table.pml:108 - [epoch[from].sealed = 1] (0:31:2 - 1)
		IfNotBlocked
		reached[2][28] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.epoch[ Index(((int)((P2 *)_this)->from), 4) ].sealed);
		now.epoch[ Index(((P2 *)_this)->from, 4) ].sealed = 1;
#ifdef VAR_RANGES
		logval("epoch[inserter:from].sealed", ((int)now.epoch[ Index(((int)((P2 *)_this)->from), 4) ].sealed));
#endif
		;
		/* merge: v = epoch[from].v(31, 29, 31) */
		reached[2][29] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P2 *)_this)->v);
		((P2 *)_this)->v = ((int)now.epoch[ Index(((int)((P2 *)_this)->from), 4) ].v);
#ifdef VAR_RANGES
		logval("inserter:v", ((int)((P2 *)_this)->v));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 30: // STATE 31 - table.pml:111 - [epoch[to].v = v] (0:0:1 - 1)
		IfNotBlocked
		reached[2][31] = 1;
		(trpt+1)->bup.oval = ((int)now.epoch[ Index(((int)((P2 *)_this)->to), 4) ].v);
		now.epoch[ Index(((P2 *)_this)->to, 4) ].v = ((int)((P2 *)_this)->v);
#ifdef VAR_RANGES
		logval("epoch[inserter:to].v", ((int)now.epoch[ Index(((int)((P2 *)_this)->to), 4) ].v));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 31: // STATE 32 - table.pml:112 - [epoch[to].published = 1] (0:0:1 - 1)
		IfNotBlocked
		reached[2][32] = 1;
		(trpt+1)->bup.oval = ((int)now.epoch[ Index(((int)((P2 *)_this)->to), 4) ].published);
		now.epoch[ Index(((P2 *)_this)->to, 4) ].published = 1;
#ifdef VAR_RANGES
		logval("epoch[inserter:to].published", ((int)now.epoch[ Index(((int)((P2 *)_this)->to), 4) ].published));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 32: // STATE 39 - table.pml:121 - [dir = to] (0:0:1 - 5)
		IfNotBlocked
		reached[2][39] = 1;
		(trpt+1)->bup.oval = ((int)now.dir);
		now.dir = ((int)((P2 *)_this)->to);
#ifdef VAR_RANGES
		logval("dir", ((int)now.dir));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 33: // STATE 40 - table.pml:122 - [locked = 0] (0:0:1 - 1)
		IfNotBlocked
		reached[2][40] = 1;
		(trpt+1)->bup.oval = ((int)now.locked);
		now.locked = 0;
#ifdef VAR_RANGES
		logval("locked", ((int)now.locked));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 34: // STATE 42 - table.pml:204 - [done = (done+1)] (0:0:1 - 1)
		IfNotBlocked
		reached[2][42] = 1;
		(trpt+1)->bup.oval = ((int)now.done);
		now.done = (((int)now.done)+1);
#ifdef VAR_RANGES
		logval("done", ((int)now.done));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 35: // STATE 43 - table.pml:205 - [-end-] (0:0:0 - 1)
		IfNotBlocked
		reached[2][43] = 1;
		if (!delproc(1, II)) continue;
		_m = 3; goto P999; /* 0 */

		 /* PROC sweeper */
	case 36: // STATE 1 - table.pml:190 - [((sweeps<2))] (5:0:1 - 1)
		IfNotBlocked
		reached[1][1] = 1;
		if (!((((int)((P1 *)_this)->sweeps)<2)))
			continue;
		/* merge: sweeps = (sweeps+1)(0, 2, 5) */
		reached[1][2] = 1;
		(trpt+1)->bup.oval = ((int)((P1 *)_this)->sweeps);
		((P1 *)_this)->sweeps = (((int)((P1 *)_this)->sweeps)+1);
#ifdef VAR_RANGES
		logval("sweeper:sweeps", ((int)((P1 *)_this)->sweeps));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 37: // STATE 3 - table.pml:192 - [now = 1] (0:0:1 - 1)
		IfNotBlocked
		reached[1][3] = 1;
		(trpt+1)->bup.oval = ((int)((P1 *)_this)->now);
		((P1 *)_this)->now = 1;
#ifdef VAR_RANGES
		logval("sweeper:now", ((int)((P1 *)_this)->now));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 38: // STATE 4 - table.pml:192 - [now = 2] (0:0:1 - 1)
		IfNotBlocked
		reached[1][4] = 1;
		(trpt+1)->bup.oval = ((int)((P1 *)_this)->now);
		((P1 *)_this)->now = 2;
#ifdef VAR_RANGES
		logval("sweeper:now", ((int)((P1 *)_this)->now));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 39: // STATE 7 - table.pml:193 - [(!(locked))] (47:0:1 - 1)
		IfNotBlocked
		reached[1][7] = 1;
		if (!( !(((int)now.locked))))
			continue;
		/* merge: locked = 1(0, 8, 47) */
		reached[1][8] = 1;
		(trpt+1)->bup.oval = ((int)now.locked);
		now.locked = 1;
#ifdef VAR_RANGES
		logval("locked", ((int)now.locked));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 40: // STATE 10 - table.pml:69 - [from = dir] (0:0:1 - 1)
		IfNotBlocked
		reached[1][10] = 1;
		(trpt+1)->bup.oval = ((int)((P1 *)_this)->from);
		((P1 *)_this)->from = ((int)now.dir);
#ifdef VAR_RANGES
		logval("sweeper:from", ((int)((P1 *)_this)->from));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 41: // STATE 11 - table.pml:70 - [last = (last+1)] (0:0:1 - 1)
		IfNotBlocked
		reached[1][11] = 1;
		(trpt+1)->bup.oval = ((int)now.last);
		now.last = (((int)now.last)+1);
#ifdef VAR_RANGES
		logval("last", ((int)now.last));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 42: // STATE 12 - table.pml:71 - [to = last] (0:0:1 - 1)
		IfNotBlocked
		reached[1][12] = 1;
		(trpt+1)->bup.oval = ((int)((P1 *)_this)->to);
		((P1 *)_this)->to = ((int)now.last);
#ifdef VAR_RANGES
		logval("sweeper:to", ((int)((P1 *)_this)->to));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 43: // STATE 13 - table.pml:72 - [epoch[to].born = epoch[from].born] (0:0:1 - 1)
		IfNotBlocked
		reached[1][13] = 1;
		(trpt+1)->bup.oval = ((int)now.epoch[ Index(((int)((P1 *)_this)->to), 4) ].born);
		now.epoch[ Index(((P1 *)_this)->to, 4) ].born = ((int)now.epoch[ Index(((int)((P1 *)_this)->from), 4) ].born);
#ifdef VAR_RANGES
		logval("epoch[sweeper:to].born", ((int)now.epoch[ Index(((int)((P1 *)_this)->to), 4) ].born));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 44: // STATE 15 - table.pml:76 - [epoch[to].born = ( ((epoch[from].born>now)) -> (epoch[from].born) : (now) )] (0:0:1 - 1)
		IfNotBlocked
		reached[1][15] = 1;
		(trpt+1)->bup.oval = ((int)now.epoch[ Index(((int)((P1 *)_this)->to), 4) ].born);
		now.epoch[ Index(((P1 *)_this)->to, 4) ].born = ( ((((int)now.epoch[ Index(((int)((P1 *)_this)->from), 4) ].born)>((int)((P1 *)_this)->now))) ? (((int)now.epoch[ Index(((int)((P1 *)_this)->from), 4) ].born)) : (((int)((P1 *)_this)->now)) );
#ifdef VAR_RANGES
		logval("epoch[sweeper:to].born", ((int)now.epoch[ Index(((int)((P1 *)_this)->to), 4) ].born));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 45: // STATE 20 - table.pml:82 - [(epoch[from].published)] (0:0:0 - 1)
		IfNotBlocked
		reached[1][20] = 1;
		if (!(((int)now.epoch[ Index(((int)((P1 *)_this)->from), 4) ].published)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 46: // STATE 21 - table.pml:83 - [v = epoch[from].v] (0:0:1 - 1)
		IfNotBlocked
		reached[1][21] = 1;
		(trpt+1)->bup.oval = ((int)((P1 *)_this)->v);
		((P1 *)_this)->v = ((int)now.epoch[ Index(((int)((P1 *)_this)->from), 4) ].v);
#ifdef VAR_RANGES
		logval("sweeper:v", ((int)((P1 *)_this)->v));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 47: // STATE 22 - table.pml:85 - [((1&&(v<=now)))] (0:0:1 - 1)
		IfNotBlocked
		reached[1][22] = 1;
		if (!((1&&(((int)((P1 *)_this)->v)<=((int)((P1 *)_this)->now)))))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: now */  (trpt+1)->bup.oval = ((P1 *)_this)->now;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P1 *)_this)->now = 0;
		_m = 3; goto P999; /* 0 */
	case 48: // STATE 23 - table.pml:92 - [((epoch[from].v==v))] (40:0:3 - 1)
		IfNotBlocked
		reached[1][23] = 1;
		if (!((((int)now.epoch[ Index(((int)((P1 *)_this)->from), 4) ].v)==((int)((P1 *)_this)->v))))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: v */  (trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((P1 *)_this)->v;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P1 *)_this)->v = 0;
		/* merge: epoch[from].sealed = 1(40, 24, 40) */
		reached[1][24] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.epoch[ Index(((int)((P1 *)_this)->from), 4) ].sealed);
		now.epoch[ Index(((P1 *)_this)->from, 4) ].sealed = 1;
#ifdef VAR_RANGES
		logval("epoch[sweeper:from].sealed", ((int)now.epoch[ Index(((int)((P1 *)_this)->from), 4) ].sealed));
#endif
		;
		/* merge: v = 255(40, 25, 40) */
		reached[1][25] = 1;
		(trpt+1)->bup.ovals[2] = ((int)((P1 *)_this)->v);
		((P1 *)_this)->v = 255;
#ifdef VAR_RANGES
		logval("sweeper:v", ((int)((P1 *)_this)->v));
#endif
		;
		/* merge: .(goto)(40, 28, 40) */
		reached[1][28] = 1;
		;
		/* merge: .(goto)(0, 32, 40) */
		reached[1][32] = 1;
		;
		_m = 3; goto P999; /* 4 */
	case 49: // STATE 28 - table.pml:95 - [.(goto)] (0:40:0 - 2)
		IfNotBlocked
		reached[1][28] = 1;
		;
		/* merge: .(goto)(0, 32, 40) */
		reached[1][32] = 1;
		;
		_m = 3; goto P999; /* 1 */
	case 50: // STATE 33 - table.pml:100 - [((v!=255))] (0:0:1 - 1)
		IfNotBlocked
		reached[1][33] = 1;
		if (!((((int)((P1 *)_this)->v)!=255)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: v */  (trpt+1)->bup.oval = ((P1 *)_this)->v;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P1 *)_this)->v = 0;
		_m = 3; goto P999; /* 0 */
	case 51: // STATE 34 - table.pml:108 - [epoch[from].sealed = 1] (0:37:2 - 1)
		IfNotBlocked
		reached[1][34] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)now.epoch[ Index(((int)((P1 *)_this)->from), 4) ].sealed);
		now.epoch[ Index(((P1 *)_this)->from, 4) ].sealed = 1;
#ifdef VAR_RANGES
		logval("epoch[sweeper:from].sealed", ((int)now.epoch[ Index(((int)((P1 *)_this)->from), 4) ].sealed));
#endif
		;
		/* merge: v = epoch[from].v(37, 35, 37) */
		reached[1][35] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P1 *)_this)->v);
		((P1 *)_this)->v = ((int)now.epoch[ Index(((int)((P1 *)_this)->from), 4) ].v);
#ifdef VAR_RANGES
		logval("sweeper:v", ((int)((P1 *)_this)->v));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 52: // STATE 37 - table.pml:111 - [epoch[to].v = v] (0:0:1 - 1)
		IfNotBlocked
		reached[1][37] = 1;
		(trpt+1)->bup.oval = ((int)now.epoch[ Index(((int)((P1 *)_this)->to), 4) ].v);
		now.epoch[ Index(((P1 *)_this)->to, 4) ].v = ((int)((P1 *)_this)->v);
#ifdef VAR_RANGES
		logval("epoch[sweeper:to].v", ((int)now.epoch[ Index(((int)((P1 *)_this)->to), 4) ].v));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 53: // STATE 38 - table.pml:112 - [epoch[to].published = 1] (0:0:1 - 1)
		IfNotBlocked
		reached[1][38] = 1;
		(trpt+1)->bup.oval = ((int)now.epoch[ Index(((int)((P1 *)_this)->to), 4) ].published);
		now.epoch[ Index(((P1 *)_this)->to, 4) ].published = 1;
#ifdef VAR_RANGES
		logval("epoch[sweeper:to].published", ((int)now.epoch[ Index(((int)((P1 *)_this)->to), 4) ].published));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 54: // STATE 45 - table.pml:121 - [dir = to] (0:0:1 - 5)
		IfNotBlocked
		reached[1][45] = 1;
		(trpt+1)->bup.oval = ((int)now.dir);
		now.dir = ((int)((P1 *)_this)->to);
#ifdef VAR_RANGES
		logval("dir", ((int)now.dir));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 55: // STATE 46 - table.pml:122 - [locked = 0] (0:0:1 - 1)
		IfNotBlocked
		reached[1][46] = 1;
		(trpt+1)->bup.oval = ((int)now.locked);
		now.locked = 0;
#ifdef VAR_RANGES
		logval("locked", ((int)now.locked));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 56: // STATE 53 - table.pml:197 - [done = (done+1)] (0:0:1 - 3)
		IfNotBlocked
		reached[1][53] = 1;
		(trpt+1)->bup.oval = ((int)now.done);
		now.done = (((int)now.done)+1);
#ifdef VAR_RANGES
		logval("done", ((int)now.done));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 57: // STATE 54 - table.pml:198 - [-end-] (0:0:0 - 1)
		IfNotBlocked
		reached[1][54] = 1;
		if (!delproc(1, II)) continue;
		_m = 3; goto P999; /* 0 */

		 /* PROC decider */
	case 58: // STATE 1 - table.pml:130 - [((requests<2))] (7:0:2 - 1)
		IfNotBlocked
		reached[0][1] = 1;
		if (!((((int)((P0 *)_this)->requests)<2)))
			continue;
		/* merge: requests = (requests+1)(7, 2, 7) */
		reached[0][2] = 1;
		(trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((int)((P0 *)_this)->requests);
		((P0 *)_this)->requests = (((int)((P0 *)_this)->requests)+1);
#ifdef VAR_RANGES
		logval("decider:requests", ((int)((P0 *)_this)->requests));
#endif
		;
		/* merge: decided = 0(7, 3, 7) */
		reached[0][3] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->decided);
		((P0 *)_this)->decided = 0;
#ifdef VAR_RANGES
		logval("decider:decided", ((int)((P0 *)_this)->decided));
#endif
		;
		_m = 3; goto P999; /* 2 */
	case 59: // STATE 4 - table.pml:133 - [now = 0] (0:0:1 - 1)
		IfNotBlocked
		reached[0][4] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->now);
		((P0 *)_this)->now = 0;
#ifdef VAR_RANGES
		logval("decider:now", ((int)((P0 *)_this)->now));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 60: // STATE 5 - table.pml:133 - [now = 1] (0:0:1 - 1)
		IfNotBlocked
		reached[0][5] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->now);
		((P0 *)_this)->now = 1;
#ifdef VAR_RANGES
		logval("decider:now", ((int)((P0 *)_this)->now));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 61: // STATE 6 - table.pml:133 - [now = 2] (0:0:1 - 1)
		IfNotBlocked
		reached[0][6] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->now);
		((P0 *)_this)->now = 2;
#ifdef VAR_RANGES
		logval("decider:now", ((int)((P0 *)_this)->now));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 62: // STATE 9 - table.pml:134 - [e = dir] (0:0:1 - 4)
		IfNotBlocked
		reached[0][9] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->e);
		((P0 *)_this)->e = ((int)now.dir);
#ifdef VAR_RANGES
		logval("decider:e", ((int)((P0 *)_this)->e));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 63: // STATE 10 - table.pml:136 - [(decided)] (0:0:1 - 1)
		IfNotBlocked
		reached[0][10] = 1;
		if (!(((int)((P0 *)_this)->decided)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: decided */  (trpt+1)->bup.oval = ((P0 *)_this)->decided;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->decided = 0;
		_m = 3; goto P999; /* 0 */
	case 64: // STATE 12 - table.pml:137 - [((!(decided)&&epoch[e].published))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][12] = 1;
		if (!(( !(((int)((P0 *)_this)->decided))&&((int)now.epoch[ Index(((int)((P0 *)_this)->e), 4) ].published))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 65: // STATE 13 - table.pml:140 - [(epoch[e].sealed)] (50:0:1 - 1)
		IfNotBlocked
		reached[0][13] = 1;
		if (!(((int)now.epoch[ Index(((int)((P0 *)_this)->e), 4) ].sealed)))
			continue;
		/* merge: v = 255(50, 14, 50) */
		reached[0][14] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->v);
		((P0 *)_this)->v = 255;
#ifdef VAR_RANGES
		logval("decider:v", ((int)((P0 *)_this)->v));
#endif
		;
		/* merge: .(goto)(50, 18, 50) */
		reached[0][18] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 66: // STATE 18 - table.pml:143 - [.(goto)] (0:50:0 - 2)
		IfNotBlocked
		reached[0][18] = 1;
		;
		_m = 3; goto P999; /* 0 */
	case 67: // STATE 16 - table.pml:141 - [v = epoch[e].v] (0:50:1 - 1)
		IfNotBlocked
		reached[0][16] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->v);
		((P0 *)_this)->v = ((int)now.epoch[ Index(((int)((P0 *)_this)->e), 4) ].v);
#ifdef VAR_RANGES
		logval("decider:v", ((int)((P0 *)_this)->v));
#endif
		;
		/* merge: .(goto)(50, 18, 50) */
		reached[0][18] = 1;
		;
		_m = 3; goto P999; /* 1 */
	case 68: // STATE 20 - table.pml:145 - [((v==255))] (0:0:1 - 1)
		IfNotBlocked
		reached[0][20] = 1;
		if (!((((int)((P0 *)_this)->v)==255)))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: v */  (trpt+1)->bup.oval = ((P0 *)_this)->v;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->v = 0;
		_m = 3; goto P999; /* 0 */
	case 69: // STATE 21 - table.pml:149 - [(!(locked))] (24:0:1 - 1)
		IfNotBlocked
		reached[0][21] = 1;
		if (!( !(((int)now.locked))))
			continue;
		/* merge: locked = 1(0, 22, 24) */
		reached[0][22] = 1;
		(trpt+1)->bup.oval = ((int)now.locked);
		now.locked = 1;
#ifdef VAR_RANGES
		logval("locked", ((int)now.locked));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 70: // STATE 24 - table.pml:150 - [e = dir] (0:0:1 - 1)
		IfNotBlocked
		reached[0][24] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->e);
		((P0 *)_this)->e = ((int)now.dir);
#ifdef VAR_RANGES
		logval("decider:e", ((int)((P0 *)_this)->e));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 71: // STATE 25 - table.pml:152 - [(!(epoch[e].published))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][25] = 1;
		if (!( !(((int)now.epoch[ Index(((int)((P0 *)_this)->e), 4) ].published))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 72: // STATE 26 - table.pml:62 - [epoch[e].v = epoch[e].born] (0:0:1 - 1)
		IfNotBlocked
		reached[0][26] = 1;
		(trpt+1)->bup.oval = ((int)now.epoch[ Index(((int)((P0 *)_this)->e), 4) ].v);
		now.epoch[ Index(((P0 *)_this)->e, 4) ].v = ((int)now.epoch[ Index(((int)((P0 *)_this)->e), 4) ].born);
#ifdef VAR_RANGES
		logval("epoch[decider:e].v", ((int)now.epoch[ Index(((int)((P0 *)_this)->e), 4) ].v));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 73: // STATE 27 - table.pml:63 - [epoch[e].published = 1] (0:0:1 - 1)
		IfNotBlocked
		reached[0][27] = 1;
		(trpt+1)->bup.oval = ((int)now.epoch[ Index(((int)((P0 *)_this)->e), 4) ].published);
		now.epoch[ Index(((P0 *)_this)->e, 4) ].published = 1;
#ifdef VAR_RANGES
		logval("epoch[decider:e].published", ((int)now.epoch[ Index(((int)((P0 *)_this)->e), 4) ].published));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 74: // STATE 32 - table.pml:155 - [locked = 0] (0:0:1 - 3)
		IfNotBlocked
		reached[0][32] = 1;
		(trpt+1)->bup.oval = ((int)now.locked);
		now.locked = 0;
#ifdef VAR_RANGES
		logval("locked", ((int)now.locked));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 75: // STATE 33 - table.pml:157 - [(((v!=255)&&(v>now)))] (65:0:2 - 1)
		IfNotBlocked
		reached[0][33] = 1;
		if (!(((((int)((P0 *)_this)->v)!=255)&&(((int)((P0 *)_this)->v)>((int)((P0 *)_this)->now)))))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: v */  (trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((P0 *)_this)->v;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->v = 0;
		/* merge: decided = 1(0, 34, 65) */
		reached[0][34] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->decided);
		((P0 *)_this)->decided = 1;
#ifdef VAR_RANGES
		logval("decider:decided", ((int)((P0 *)_this)->decided));
#endif
		;
		/* merge: .(goto)(0, 51, 65) */
		reached[0][51] = 1;
		;
		/* merge: .(goto)(0, 66, 65) */
		reached[0][66] = 1;
		;
		_m = 3; goto P999; /* 3 */
	case 76: // STATE 35 - table.pml:159 - [(((v!=255)&&(v<=now)))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][35] = 1;
		if (!(((((int)((P0 *)_this)->v)!=255)&&(((int)((P0 *)_this)->v)<=((int)((P0 *)_this)->now)))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 77: // STATE 36 - table.pml:162 - [((!(epoch[e].sealed)&&(epoch[e].v==v)))] (44:0:1 - 1)
		IfNotBlocked
		reached[0][36] = 1;
		if (!(( !(((int)now.epoch[ Index(((int)((P0 *)_this)->e), 4) ].sealed))&&(((int)now.epoch[ Index(((int)((P0 *)_this)->e), 4) ].v)==((int)((P0 *)_this)->v)))))
			continue;
		/* merge: epoch[e].v = (( ((v>now)) -> (v) : (now) )+1)(0, 37, 44) */
		reached[0][37] = 1;
		(trpt+1)->bup.oval = ((int)now.epoch[ Index(((int)((P0 *)_this)->e), 4) ].v);
		now.epoch[ Index(((P0 *)_this)->e, 4) ].v = (( ((((int)((P0 *)_this)->v)>((int)((P0 *)_this)->now))) ? (((int)((P0 *)_this)->v)) : (((int)((P0 *)_this)->now)) )+1);
#ifdef VAR_RANGES
		logval("epoch[decider:e].v", ((int)now.epoch[ Index(((int)((P0 *)_this)->e), 4) ].v));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 78: // STATE 38 - table.pml:45 - [admitted[now] = (admitted[now]+1)] (0:65:3 - 1)
		IfNotBlocked
		reached[0][38] = 1;
		(trpt+1)->bup.ovals = grab_ints(3);
		(trpt+1)->bup.ovals[0] = ((int)now.admitted[ Index(((int)((P0 *)_this)->now), 3) ]);
		now.admitted[ Index(((P0 *)_this)->now, 3) ] = (((int)now.admitted[ Index(((int)((P0 *)_this)->now), 3) ])+1);
#ifdef VAR_RANGES
		logval("admitted[decider:now]", ((int)now.admitted[ Index(((int)((P0 *)_this)->now), 3) ]));
#endif
		;
		/* merge: truth = (( ((truth>now)) -> (truth) : (now) )+1)(65, 39, 65) */
		reached[0][39] = 1;
		(trpt+1)->bup.ovals[1] = ((int)now.truth);
		now.truth = (( ((((int)now.truth)>((int)((P0 *)_this)->now))) ? (((int)now.truth)) : (((int)((P0 *)_this)->now)) )+1);
#ifdef VAR_RANGES
		logval("truth", ((int)now.truth));
#endif
		;
		/* merge: assert(!(((epoch[0].published&&!(epoch[0].sealed))&&(e!=0))))(65, 40, 65) */
		reached[0][40] = 1;
		spin_assert( !(((((int)now.epoch[0].published)&& !(((int)now.epoch[0].sealed)))&&(((int)((P0 *)_this)->e)!=0))), " !(((epoch[0].published&& !(epoch[0].sealed))&&(e!=0)))", II, tt, t);
		/* merge: assert(!(((epoch[1].published&&!(epoch[1].sealed))&&(e!=1))))(65, 41, 65) */
		reached[0][41] = 1;
		spin_assert( !(((((int)now.epoch[1].published)&& !(((int)now.epoch[1].sealed)))&&(((int)((P0 *)_this)->e)!=1))), " !(((epoch[1].published&& !(epoch[1].sealed))&&(e!=1)))", II, tt, t);
		/* merge: assert(!(((epoch[2].published&&!(epoch[2].sealed))&&(e!=2))))(65, 42, 65) */
		reached[0][42] = 1;
		spin_assert( !(((((int)now.epoch[2].published)&& !(((int)now.epoch[2].sealed)))&&(((int)((P0 *)_this)->e)!=2))), " !(((epoch[2].published&& !(epoch[2].sealed))&&(e!=2)))", II, tt, t);
		/* merge: assert(!(((epoch[3].published&&!(epoch[3].sealed))&&(e!=3))))(65, 43, 65) */
		reached[0][43] = 1;
		spin_assert( !(((((int)now.epoch[3].published)&& !(((int)now.epoch[3].sealed)))&&(((int)((P0 *)_this)->e)!=3))), " !(((epoch[3].published&& !(epoch[3].sealed))&&(e!=3)))", II, tt, t);
		/* merge: decided = 1(65, 45, 65) */
		reached[0][45] = 1;
		(trpt+1)->bup.ovals[2] = ((int)((P0 *)_this)->decided);
		((P0 *)_this)->decided = 1;
#ifdef VAR_RANGES
		logval("decider:decided", ((int)((P0 *)_this)->decided));
#endif
		;
		/* merge: .(goto)(65, 48, 65) */
		reached[0][48] = 1;
		;
		/* merge: .(goto)(0, 51, 65) */
		reached[0][51] = 1;
		;
		/* merge: .(goto)(0, 66, 65) */
		reached[0][66] = 1;
		;
		_m = 3; goto P999; /* 9 */
	case 79: // STATE 48 - table.pml:168 - [.(goto)] (0:65:0 - 2)
		IfNotBlocked
		reached[0][48] = 1;
		;
		/* merge: .(goto)(0, 51, 65) */
		reached[0][51] = 1;
		;
		/* merge: .(goto)(0, 66, 65) */
		reached[0][66] = 1;
		;
		_m = 3; goto P999; /* 2 */
	case 80: // STATE 52 - table.pml:170 - [((!(decided)&&!(epoch[e].published)))] (0:0:1 - 1)
		IfNotBlocked
		reached[0][52] = 1;
		if (!(( !(((int)((P0 *)_this)->decided))&& !(((int)now.epoch[ Index(((int)((P0 *)_this)->e), 4) ].published)))))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: e */  (trpt+1)->bup.oval = ((P0 *)_this)->e;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->e = 0;
		_m = 3; goto P999; /* 0 */
	case 81: // STATE 53 - table.pml:171 - [(!(locked))] (56:0:1 - 1)
		IfNotBlocked
		reached[0][53] = 1;
		if (!( !(((int)now.locked))))
			continue;
		/* merge: locked = 1(0, 54, 56) */
		reached[0][54] = 1;
		(trpt+1)->bup.oval = ((int)now.locked);
		now.locked = 1;
#ifdef VAR_RANGES
		logval("locked", ((int)now.locked));
#endif
		;
		_m = 3; goto P999; /* 1 */
	case 82: // STATE 56 - table.pml:173 - [e = dir] (0:0:1 - 1)
		IfNotBlocked
		reached[0][56] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->e);
		((P0 *)_this)->e = ((int)now.dir);
#ifdef VAR_RANGES
		logval("decider:e", ((int)((P0 *)_this)->e));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 83: // STATE 57 - table.pml:176 - [(!(epoch[e].published))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][57] = 1;
		if (!( !(((int)now.epoch[ Index(((int)((P0 *)_this)->e), 4) ].published))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 84: // STATE 58 - table.pml:62 - [epoch[e].v = epoch[e].born] (0:0:1 - 1)
		IfNotBlocked
		reached[0][58] = 1;
		(trpt+1)->bup.oval = ((int)now.epoch[ Index(((int)((P0 *)_this)->e), 4) ].v);
		now.epoch[ Index(((P0 *)_this)->e, 4) ].v = ((int)now.epoch[ Index(((int)((P0 *)_this)->e), 4) ].born);
#ifdef VAR_RANGES
		logval("epoch[decider:e].v", ((int)now.epoch[ Index(((int)((P0 *)_this)->e), 4) ].v));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 85: // STATE 59 - table.pml:63 - [epoch[e].published = 1] (0:0:1 - 1)
		IfNotBlocked
		reached[0][59] = 1;
		(trpt+1)->bup.oval = ((int)now.epoch[ Index(((int)((P0 *)_this)->e), 4) ].published);
		now.epoch[ Index(((P0 *)_this)->e, 4) ].published = 1;
#ifdef VAR_RANGES
		logval("epoch[decider:e].published", ((int)now.epoch[ Index(((int)((P0 *)_this)->e), 4) ].published));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 86: // STATE 64 - table.pml:179 - [locked = 0] (0:0:1 - 3)
		IfNotBlocked
		reached[0][64] = 1;
		(trpt+1)->bup.oval = ((int)now.locked);
		now.locked = 0;
#ifdef VAR_RANGES
		logval("locked", ((int)now.locked));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 87: // STATE 73 - table.pml:183 - [done = (done+1)] (0:0:1 - 3)
		IfNotBlocked
		reached[0][73] = 1;
		(trpt+1)->bup.oval = ((int)now.done);
		now.done = (((int)now.done)+1);
#ifdef VAR_RANGES
		logval("done", ((int)now.done));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 88: // STATE 74 - table.pml:184 - [-end-] (0:0:0 - 1)
		IfNotBlocked
		reached[0][74] = 1;
		if (!delproc(1, II)) continue;
		_m = 3; goto P999; /* 0 */
	case  _T5:	/* np_ */
		if (!((!(trpt->o_pm&4) && !(trpt->tau&128))))
			continue;
		/* else fall through */
	case  _T2:	/* true */
		_m = 3; goto P999;
#undef rand
	}

